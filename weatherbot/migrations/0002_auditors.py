from django.db import migrations

from backoffice.groups import AUDITORS, grant


def let_auditors_look(apps, _schema_editor):
    grant(apps, AUDITORS, ["weatherbot.chat.view_chat"])


class Migration(migrations.Migration):
    dependencies = [
        ("weatherbot", "0001_chats"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(let_auditors_look, migrations.RunPython.noop)]
