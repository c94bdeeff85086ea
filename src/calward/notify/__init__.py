"""Channels: how a message reaches a person's devices, or a program of theirs."""
