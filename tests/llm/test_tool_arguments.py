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
        ("", "`location` is missing"),
        ("{}", "`location` is missing"),
        (" ", "not valid JSON"),
        ("{", "not valid JSON"),
        ("{}{}", "not valid JSON: Extra data"),
        ('{"location": "Oslo"', "not valid JSON"),
        ('{"location": NaN}', "NaN is not a JSON value"),
        ('{"location": "a", "location": "b"}', "a property is given twice"),
        ("null", "must be one JSON object"),
        ("[]", "must be one JSON object"),
        ('"{\\"location\\": \\"Oslo\\"}"', "must be one JSON object"),
        ('{"location": 5}', "location: must be a string$"),
        ('{"location": null}', "location: must be a string$"),
        ('{"location": ""}', "location: must not be empty$"),
        ('{"location": "\\u0000"}', "location: must not be empty$"),
        ('{"location": "a", "units": "kelvin"}', 'units: must be one of: "celsius", "fahrenheit"$'),
        ('{"location": "a", "units": null}', "units: must be (a string|one of)"),
        ('{"location": "a", "days": 0}', "days: must be at least 1$"),
        ('{"location": "a", "days": 8}', "days: must be at most 7$"),
        ('{"location": "a", "days": 2.5}', "days: must be an integer$"),
        ('{"location": "a", "days": true}', "days: must be an integer$"),
        ('{"location": "a", "days": "3"}', "days: must be an integer$"),
        ('{"location": "a", "days": 1e400}', "days: must be an integer$"),
        ('{"location": "a", "city": "b"}', "`city` is not allowed; the properties are: location, units, days$"),
        pytest.param("[" * 100_000, "nested too deep", id="deep"),
        pytest.param(
            '{"location": ' + "[" * 900 + "]" * 900 + "}", "nested too deep|must be a string", id="quite deep"
        ),
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
    (run,) = await Toolbox([Recorder().tool]).run([call('{"location": "Oslo", "%s": 1}' % ("x" * 5_000))])
    assert len(run.result["error"]) == 300
    assert run.result["error"].startswith("`xxx")


def _string_or_null(**more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {"type": ["string", "null"], **more}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "arguments", "words"),
    [
        (_string_or_null(), '{"a": 1}', "a: must be a string or null"),
        (_string_or_null(minLength=3), '{"a": "ab"}', "a: must hold at least 3 characters"),
        (_string_or_null(pattern="^x"), '{"a": "b"}', 'a: breaks the rule {"pattern": "^x"}'),
        ({"type": "object", "additionalProperties": False}, '{"a": 1}', "`a` is not allowed; the properties are: none"),
        ({"properties": {"a": {"items": {"type": "object"}}}}, '{"a": [{}, true]}', "a.1: must be an object"),
    ],
)
def test_a_rule_of_any_schema_is_told_in_the_schemas_own_terms(
    schema: dict[str, Any], arguments: str, words: str
) -> None:
    with pytest.raises(InvalidArguments) as told:
        parse_arguments(Recorder(parameters=schema).tool, arguments)
    assert str(told.value) == words


@pytest.mark.parametrize(
    "arguments",
    [
        '{"location": "Oslo", "location\\u0000": "Paris"}',
        '{"location\\u0000": "Paris"}',
        '{"location": "Oslo", "\\u0000units": "fahrenheit"}',
        '{"location": "Oslo", "\\ud83d": 1}',
        '{"location": "Oslo", "\\udc00\\ud83d": 1}',
        '{"location": "Oslo\\u0000", "un\\u0000its": "celsius"}',
    ],
)
async def test_a_name_that_cannot_be_sent_back_is_no_other_propertys_name(arguments: str) -> None:
    recorder = Recorder()
    (run,) = await Toolbox([recorder.tool]).run([call(arguments)])
    assert (run.ran, recorder.ran) == (False, [])
    assert "name" in run.result["error"]


@pytest.mark.parametrize("nested", ['{"b\\u0000": 1}', '[{"b\\u0000": 1}]', '[[], {"c": {"\\ud800": 1}}]'])
def test_that_holds_at_every_depth(nested: str) -> None:
    tool = Recorder(parameters={"type": "object"}).tool
    with pytest.raises(InvalidArguments, match="name"):
        parse_arguments(tool, f'{{"a": {nested}}}')
    assert parse_arguments(tool, '{"a": [{"b": "c\\u0000"}]}') == {"a": [{"b": "c"}]}


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
