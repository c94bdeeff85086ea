"""How an imported file stands."""

OPEN = "open"
"""Some of it is still to be carried over."""
DONE = "done"
WITHDRAWN = "withdrawn"
"""The import was taken back: it is kept, and frames nothing that is exported."""
