from django.db import migrations


class Migration(migrations.Migration):
    operations = [
        migrations.RunSQL(
            "CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
            reverse_sql="DROP TABLE harbours",
        ),
    ]
