"""iCalendar text without loss: lines, components, values, zones, and edits that touch one line at a time.

Reading goes ``lines`` → ``tree`` → ``reading``; changing goes through ``edit`` and never re-serialises what a
server gave us. ``build`` makes new objects, ``frames`` takes files of many events apart and together again.
"""
