"""Loops that claim what is due and have it done."""
