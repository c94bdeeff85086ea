"""Thin doors to the pipeline: each turns its own words into calls, and outcomes and errors back into them."""
