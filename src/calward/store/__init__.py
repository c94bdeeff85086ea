"""The one store, on SQLite or PostgreSQL: tables, queries, migrations, search.

Only ``calward.operations`` (its view, apply, materialise, approvals, identity, due and sync_run) and
``calward.bootstrap`` may import this room.
"""
