"""JSON by RFC 8259 and nothing besides, with one exception for whatever else strangers write."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm import strict_json
from backoffice.llm.strict_json import InvalidJSON
from tests.llm.values import json_values


@given(json_values())
def test_every_json_value_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    text = json.dumps(value)
    assert strict_json.loads(text) == strict_json.loads(text, unique_keys=True) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1"),
        (" ", "column 2"),
        ('{"a": 1', "column 8"),
        ('{"a":\n1}}', "line 2, column 3"),
        ("{'a': 1}", "double quotes"),
        ("\ufeff{}", "line 1, column 1"),
        ("NaN", "NaN is not a JSON value"),
        ('{"a": [Infinity]}', "Infinity is not a JSON value"),
        ("-Infinity", "-Infinity is not a JSON value"),
        pytest.param("[" * 100_000, "nested too deep", id="deep lists"),
        pytest.param('{"a":' * 100_000, "nested too deep", id="deep objects"),
        pytest.param("9" * 5_000, "number too long", id="long number"),
        ('"a\x00b"', "control character"),
    ],
)
@pytest.mark.parametrize("unique_keys", [False, True])
def test_what_is_no_json_is_refused_in_words(text: str, words: str, unique_keys: bool) -> None:
    with pytest.raises(InvalidJSON, match=words):
        strict_json.loads(text, unique_keys=unique_keys)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": 1, "a": 2}}]', '{"a": 1, "\\u0061": 2}'])
def test_a_property_given_twice_is_refused_where_that_matters(text: str) -> None:
    assert strict_json.loads(text)
    with pytest.raises(InvalidJSON, match="given twice"):
        strict_json.loads(text, unique_keys=True)


@given(st.text())
def test_any_text_is_a_value_or_one_exception_that_does_not_quote_it(text: str) -> None:
    marked = f"secret{text}"
    with pytest.raises(InvalidJSON) as caught:
        strict_json.loads(marked)
    assert "secret" not in str(caught.value)
