"""What to do about a collection, as data: three sides in, actions out. Nothing here talks to anybody."""
