"""Migrations leave every constraint of the models in the database, on each engine."""

import pytest
from django.db import connection
from django.db.models import CheckConstraint, Model, UniqueConstraint

from summarizer.models import Outcome, Run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", [Run, Outcome])
def test_what_the_model_declares_stands_in_the_database(model: type[Model]) -> None:
    with connection.cursor() as cursor:
        there = connection.introspection.get_constraints(cursor, model._meta.db_table)
    declared = {constraint.name for constraint in model._meta.constraints}
    assert declared
    assert declared <= set(there)
    assert {c.name for c in model._meta.constraints if isinstance(c, UniqueConstraint)} <= {
        name for name, found in there.items() if found["unique"]
    }
    assert {c.name for c in model._meta.constraints if isinstance(c, CheckConstraint)} <= {
        name for name, found in there.items() if found["check"]
    }
