"""Changes → rows: objects, whatever else can change, files chunk by chunk, and requests remembered."""
