"""The door for programs: the catalog as JSON over HTTP, and what stands in front of every route."""
