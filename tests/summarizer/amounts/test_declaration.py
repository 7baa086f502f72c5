"""How the tool is declared to the model."""

from jsonschema import Draft202012Validator

from summarizer.amounts import NORMALIZE_AMOUNT_DESCRIPTION, NORMALIZE_AMOUNT_PARAMETERS


def test_the_declaration_is_a_schema_of_one_required_text() -> None:
    Draft202012Validator.check_schema(NORMALIZE_AMOUNT_PARAMETERS)
    validator = Draft202012Validator(NORMALIZE_AMOUNT_PARAMETERS)
    assert validator.is_valid({"raw": "6 EUR"})
    assert not any(validator.is_valid(wrong) for wrong in ({}, {"raw": 6}, {"raw": "6", "more": "7"}, "6 EUR"))


def test_the_description_tells_the_model_what_to_state_and_what_not() -> None:
    assert "`amount`" in NORMALIZE_AMOUNT_DESCRIPTION
    assert "`amount_minor` is for programs and is never stated" in NORMALIZE_AMOUNT_DESCRIPTION
