"""The cut reader: what one principal sees, from rows to the words of an answer."""
