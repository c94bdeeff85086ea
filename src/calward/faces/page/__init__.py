"""The door for people with a browser: three pages made on the server, without a script."""
