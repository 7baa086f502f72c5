from django.db import migrations


def mark(apps, _schema_editor):
    apps.get_model("summarizer", "Outcome").objects.filter(state="summarised").exclude(warnings=[]).update(warned=True)


class Migration(migrations.Migration):
    dependencies = [("summarizer", "0002_operators_desk")]
    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
