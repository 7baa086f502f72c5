from django.db import migrations

from backoffice.groups import AUDITORS, OPERATORS, grant


def let_people_look(apps, _schema_editor):
    for group in (OPERATORS, AUDITORS):
        grant(apps, group, ["audit.dailyaggregate.view_dailyaggregate"])


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0001_daily_aggregates"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(let_people_look, migrations.RunPython.noop)]
