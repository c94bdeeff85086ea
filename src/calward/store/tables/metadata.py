"""Where all tables are gathered, and how their keys and indexes are named."""

import sqlalchemy as sa

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, METADATA, *parts)
