from alembic import op

revision = "0a1b"
down_revision = "1b2c"


def upgrade():
    op.execute("ALTER TABLE ships ADD COLUMN name TEXT")


def downgrade():
    op.execute("ALTER TABLE ships DROP COLUMN name")
