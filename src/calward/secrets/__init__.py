"""Secrets at rest: where keys and passwords come from, and how passwords are sealed on disk."""
