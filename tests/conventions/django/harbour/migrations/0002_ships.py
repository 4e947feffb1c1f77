from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("harbour", "0001_initial")]
    operations = [
        migrations.RunSQL(
            sql=[
                "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)",
                "ALTER TABLE ships ADD COLUMN name TEXT",
            ],
            reverse_sql="ALTER TABLE ships RENAME TO gone",
        ),
    ]
