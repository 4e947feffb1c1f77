from alembic import op

revision = "1b2c"
down_revision = "9f0a"


def upgrade():
    op.execute(
        """
        CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)
        """
    )
    op.execute("CREATE INDEX ships_by_harbour ON ships (harbour)")


def downgrade():
    op.execute("ALTER TABLE ships RENAME TO gone")
