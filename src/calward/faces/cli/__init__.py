"""The command line: a thin door for the person at the machine."""
