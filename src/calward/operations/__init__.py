"""Everything that can be done, once: operations, the pipeline they run in, and the only users of the store."""
