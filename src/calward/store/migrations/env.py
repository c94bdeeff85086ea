"""Alembic's entrance: runs migrations on the connection it is handed, inside its transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
