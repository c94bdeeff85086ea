"""Wires everything: the only room that reads a clock, makes ids and tokens, and knows where files are."""
