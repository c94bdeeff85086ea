"""The use cases: one function an operation, which reads a view and proposes changes."""
