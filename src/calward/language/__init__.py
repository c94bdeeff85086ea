"""Understanding what a person writes: moments, spans, recurrences, intents and slots, with a confidence.

Pure: the clock, the zone, the customs and the people one knows are arguments. ``moments`` reads a date field,
``understand`` a whole sentence. What a language is made of lies in ``data/``; how words combine in
``grammar/``.
"""
