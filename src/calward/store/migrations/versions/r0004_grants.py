"""What holds for an assistant everywhere, whom it may invite, and what makes two of its requests the same."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("assistants", sa.Column("read_only", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("assistants", sa.Column("writes_an_hour", sa.Integer, nullable=False, server_default="60"))
    op.add_column("grants", sa.Column("invite_list", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("approvals", sa.Column("sameness", sa.Text, nullable=False, server_default=""))
    op.add_column("approvals", sa.Column("summary", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE approvals SET sameness = digest")
    op.drop_index("uq_approvals_pending_digest", "approvals")
    op.create_index(
        "uq_approvals_pending_sameness",
        "approvals",
        ["household", "asked_by_id", "sameness"],
        unique=True,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
