"""Answers as lines for a person: pure functions from an answer to lines of cells."""
