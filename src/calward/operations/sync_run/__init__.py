"""Drives one collection: what the sync's plan says, carried out between the store and a server.

Never a transaction across the network: every step reads shortly, talks, and writes shortly, and every writing
transaction looks whether what it rests on still stands. Stopped anywhere, the next run does the rest.
"""
