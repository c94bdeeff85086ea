"""The door for assistants: the catalog as tools of the Model Context Protocol, over stdio and HTTP.

Importing a module in here costs as much as the SDK does, over a second; import it where it is used.
"""
