"""The one store: tables, queries, migrations, search. It lives in SQLite; ``Dialect`` is where another database
would say what it does otherwise.

Only ``calward.operations`` (its view, apply, materialise, approvals, identity, due and sync_run) and
``calward.bootstrap`` may import this room.
"""
