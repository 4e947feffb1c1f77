from alembic import op

revision = "9f0a"
down_revision = None


def upgrade():
    op.execute("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")


def downgrade():
    op.execute("DROP TABLE harbours")
