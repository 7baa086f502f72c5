"""A model's arguments are an untrusted string: the declared schema decides, and what is wrong is said in words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.tools import InvalidArguments, Toolbox, parse_arguments
from tests.llm.toys import Recorder, call
from tests.llm.values import json_values, rough_text

NEAR_MISSES = st.fixed_dictionaries(
    {},
    optional={
        "location": rough_text() | json_values(),
        "units": st.sampled_from(["celsius", "fahrenheit", "kelvin", 1]),
        "days": st.integers(-1, 9) | st.floats(allow_nan=True) | st.booleans(),
        "more": json_values(),
    },
)
ARGUMENTS = st.one_of(
    st.text(),
    rough_text(),
    json_values(rough_text()).map(json.dumps),
    NEAR_MISSES.map(json.dumps),
    st.sampled_from(
        ["[" * 100_000, '{"a":' * 50_000, "9" * 5_000, '{"days": 1e400}', "-1e999", '{"location": "\\ud83d"}']
    ),
)


@given(ARGUMENTS)
async def test_no_arguments_raise_and_only_valid_ones_reach_the_tool(arguments: str) -> None:
    recorder = Recorder()
    (run,) = await Toolbox([recorder.tool]).run([call(arguments)])
    assert run.ran is bool(recorder.ran) is ("error" not in run.result)
    assert json.loads(run.content.encode("utf-8")) == run.result
    for arguments_given in recorder.ran:
        assert not list(recorder.tool.validator.iter_errors(arguments_given))
        assert set(arguments_given) == {"location", "units", "days"}
        assert type(arguments_given["days"]) is int


@pytest.mark.parametrize(
    ("arguments", "given_to_the_tool"),
    [
        ('{"location": "Oslo"}', {"location": "Oslo", "units": "celsius", "days": 1}),
        (
            '{"location": "Oslo", "units": "fahrenheit", "days": 7}',
            {"location": "Oslo", "units": "fahrenheit", "days": 7},
        ),
        (' {"location": "Oslo", "days": 3.0}\n', {"location": "Oslo", "units": "celsius", "days": 3}),
        ('{"location": "O\\u0000slo \\ud83d"}', {"location": "Oslo \ufffd", "units": "celsius", "days": 1}),
        ('{"location": "\\ud83d\\ude42"}', {"location": "🙂", "units": "celsius", "days": 1}),
    ],
)
def test_valid_arguments_are_completed_as_the_schema_has_them(
    arguments: str, given_to_the_tool: dict[str, Any]
) -> None:
    parsed = parse_arguments(Recorder().tool, arguments)
    assert parsed == given_to_the_tool
    assert type(parsed["days"]) is int


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "'location' is a required property"),
        ("{}", "'location' is a required property"),
        (" ", "not valid JSON"),
        ("{", "not valid JSON"),
        ("{}{}", "not valid JSON: Extra data"),
        ('{"location": "Oslo"', "not valid JSON"),
        ('{"location": NaN}', "NaN is not a JSON value"),
        ('{"location": "a", "location": "b"}', "a property is given twice"),
        ("null", "must be one JSON object"),
        ("[]", "must be one JSON object"),
        ('"{\\"location\\": \\"Oslo\\"}"', "must be one JSON object"),
        ('{"location": 5}', "location: 5 is not of type 'string'"),
        ('{"location": null}', "location: None is not of type 'string'"),
        ('{"location": ""}', "location: '' should be non-empty"),
        ('{"location": "\\u0000"}', "location: '' should be non-empty"),
        ('{"location": "a", "units": "kelvin"}', r"units: 'kelvin' is not one of \['celsius', 'fahrenheit'\]"),
        ('{"location": "a", "units": null}', "units: None is not"),
        ('{"location": "a", "days": 0}', "days: 0 is less than the minimum of 1"),
        ('{"location": "a", "days": 8}', "days: 8 is greater than the maximum of 7"),
        ('{"location": "a", "days": 2.5}', "days: 2.5 is not of type 'integer'"),
        ('{"location": "a", "days": true}', "days: True is not of type 'integer'"),
        ('{"location": "a", "days": "3"}', "days: '3' is not of type 'integer'"),
        ('{"location": "a", "days": 1e400}', "days: inf is not of type 'integer'"),
        ('{"location": "a", "city": "b"}', "'city' was unexpected"),
        pytest.param("[" * 100_000, "nested too deep", id="deep"),
        pytest.param('{"location": ' + "[" * 900 + "]" * 900 + "}", "nested too deep|is not of type", id="quite deep"),
        pytest.param('{"location": ' + "9" * 5_000 + "}", "number too long", id="long number"),
    ],
)
def test_what_is_wrong_is_said_so_that_a_model_can_act_on_it(arguments: str, words: str) -> None:
    with pytest.raises(InvalidArguments, match=words):
        parse_arguments(Recorder().tool, arguments)


def test_nesting_too_deep_for_the_schema_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    with pytest.raises(InvalidArguments, match="nested too deep"):
        parse_arguments(Recorder(parameters=schema).tool, '{"a":' * 400 + "{}" + "}" * 400)


async def test_a_long_complaint_is_cut_for_the_model() -> None:
    (run,) = await Toolbox([Recorder().tool]).run([call('{"location": ["%s"]}' % ("x" * 5_000))])
    assert len(run.result["error"]) == 300
    assert run.result["error"].startswith("location: ['xxx")


def test_a_declaration_that_is_no_json_schema_is_a_programming_error() -> None:
    with pytest.raises(Exception, match="'txt' is not valid"):
        parse_arguments(Recorder(parameters={"type": "txt"}).tool, "{}")


def test_what_is_optional_and_has_no_default_may_be_left_out() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    assert parse_arguments(Recorder(parameters=schema).tool, '{"a": "x"}') == {"a": "x"}


def test_a_schema_without_properties_is_declared_as_it_stands() -> None:
    recorder = Recorder(parameters={"type": "object"})
    assert parse_arguments(recorder.tool, '{"a": 1}') == {"a": 1}
    assert recorder.tool.declaration == {
        "type": "function",
        "function": {"name": "get_weather", "description": "Looks things up.", "parameters": {"type": "object"}},
    }
