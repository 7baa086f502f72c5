from django.db import migrations

from backoffice.groups import AUDITORS, grant


def let_auditors_look(apps, _schema_editor):
    grant(apps, AUDITORS, ["evidencedesk.answer.view_answer"])


class Migration(migrations.Migration):
    dependencies = [
        ("evidencedesk", "0001_answers"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(let_auditors_look, migrations.RunPython.noop)]
