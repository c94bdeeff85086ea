"""The commands, a group to a file. Each asks the pipeline and hands the answer to a rendering."""
