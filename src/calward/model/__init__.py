"""The nouns of the house: frozen values without behaviour that needs the outside world."""
