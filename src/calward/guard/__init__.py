"""The guard: facts about an effect → Allow, Ask or Deny with the reason; and what level a principal sees.

Pure. It judges what would happen, never the words somebody used to ask for it.
"""
