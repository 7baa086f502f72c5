from django.db import migrations

from backoffice.groups import AUDITORS, OPERATORS, grant

SEEN = ("run.view_run", "run.view_all_runs", "outcome.view_outcome", "importdraft.view_importdraft", "review.view_review")
OPERATED = ("run.add_run", "run.operate_run", "importdraft.add_importdraft", "importdraft.change_importdraft", "review.add_review")  # fmt: skip
HOUSE = (
    "admin.logentry.view_logentry",
    "auth.user.view_user",
    "auth.group.view_group",
    "knox.authtoken.view_authtoken",
    "django_tasks_database.dbtaskresult.view_dbtaskresult",
)


def make_groups(apps, _schema_editor):
    grant(apps, OPERATORS, [f"summarizer.{permission}" for permission in (*SEEN, *OPERATED)])
    grant(apps, AUDITORS, [*(f"summarizer.{permission}" for permission in SEEN), *HOUSE])


class Migration(migrations.Migration):
    dependencies = [
        ("summarizer", "0003_warned_rows"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
