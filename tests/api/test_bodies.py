"""A body becomes a valid model or one of the contract's errors, and no view sees anything else."""

import json
from typing import Any

import pytest
from django.test import AsyncClient, AsyncRequestFactory
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from backoffice.api.errors import BadBody, BodyTooLarge
from backoffice.api.requests import read_body
from tests.api.toy_urls import Note
from tests.llm.values import json_values, rough_text

JSON = "application/json"


async def posted(body: bytes, content_type: str = JSON) -> Any:
    return await AsyncClient().generic("POST", "/open", body, content_type)


async def test_a_valid_body_reaches_the_view() -> None:
    answer = await posted('{"text": "zł 😀"}'.encode())
    assert (answer.status_code, answer.json()) == (200, {"text": "zł 😀", "number": 0})


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", 'application/json; charset="UTF-8"'])
async def test_utf8_may_be_named_and_a_byte_order_mark_is_read_past(content_type: str) -> None:
    assert (await posted(b'\xef\xbb\xbf{"text": "a"}', content_type)).status_code == 200


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "The body is empty."),
        (b"{", "not valid JSON: "),
        (b" ", "not valid JSON: "),
        (b'{"text": "a"} x', "not valid JSON: Extra data"),
        (b'{"text": NaN}', "NaN is not a JSON value"),
        (b'{"text": "a", "text": "b"}', "a property is given twice"),
        (b'{"text": "\xff"}', "The body is not UTF-8."),
        ('{"text": "a"}'.encode("utf-16"), "The body is not UTF-8."),
        pytest.param(b"[" * 100_000, "nested too deep", id="deep"),
        pytest.param(b'{"number": %b}' % (b"9" * 5_000), "number too long", id="long number"),
    ],
)
async def test_what_is_no_json_is_400(body: bytes, words: str) -> None:
    answer = await posted(body)
    assert answer.status_code == 400
    assert set(answer.json()) == {"detail"}
    assert words in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, ("missing", ["body", "text"], "Field required")),
        ({"text": ""}, ("string_too_short", ["body", "text"], "String should have at least 1 character")),
        ({"text": "x" * 11}, ("string_too_long", ["body", "text"], "String should have at most 10 characters")),
        ({"text": 5}, ("string_type", ["body", "text"], "Input should be a valid string")),
        ({"text": "a", "number": "1"}, ("int_type", ["body", "number"], "Input should be a valid integer")),
        ({"text": "a", "number": 1.0}, ("int_type", ["body", "number"], "Input should be a valid integer")),
        ({"text": "a", "number": True}, ("int_type", ["body", "number"], "Input should be a valid integer")),
        ({"text": "a", "x\0": 1}, ("extra_forbidden", ["body", "x"], "Extra inputs are not permitted")),
        ([], ("model_type", ["body"], "Input should be an object")),
        (None, ("model_type", ["body"], "Input should be an object")),
    ],
)
async def test_what_breaks_a_rule_is_422_with_its_place_and_without_the_input(body: Any, problem: Any) -> None:
    answer = await posted(json.dumps(body).encode())
    kind, loc, msg = problem
    assert (answer.status_code, answer.json()) == (422, {"detail": [{"type": kind, "loc": loc, "msg": msg}]})


async def test_every_problem_is_told_up_to_a_hundred_and_long_names_are_cut() -> None:
    answer = await posted(json.dumps({"x" * 5_000 + str(number): 1 for number in range(500)}).encode())
    assert answer.status_code == 422
    assert len(answer.json()["detail"]) == 100
    assert answer.json()["detail"][1]["loc"] == ["body", "x" * 100]


@pytest.mark.parametrize("query", ["", "?q=", "?q=123456"])
async def test_a_query_that_breaks_a_rule_is_422_in_the_same_shape(query: str) -> None:
    answer = await AsyncClient().get(f"/open{query}")
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", "q"]


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx",
        "x",
        "application/json; charset=latin-1",
        "application/json; charset=" + "x" * 500,
    ],
)
async def test_another_media_type_or_charset_is_415(content_type: str) -> None:
    answer = await posted(b'{"text": "a"}', content_type)
    assert answer.status_code == 415
    assert len(answer.json()["detail"]) < 200


async def test_a_body_of_another_media_type_is_415_even_when_it_is_empty() -> None:
    answer = await AsyncClient().generic("POST", "/open", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415


async def test_nothing_at_all_is_an_empty_body() -> None:
    answer = await posted(b"", "")
    assert (answer.status_code, answer.json()) == (400, {"detail": "The body is empty."})


async def test_the_largest_body_passes_and_one_byte_more_is_413(settings: Settings) -> None:
    settings.MAX_BODY_BYTES = 13
    assert (await posted(b'{"text": "a"}')).status_code == 200
    answer = await posted(b'{"text": "a"} ')
    assert (answer.status_code, answer.json()) == (413, {"detail": "The body is too large."})


def request_of_length(length: str) -> Any:
    request = AsyncRequestFactory().generic("POST", "/open", b'{"text": "a"}', JSON)
    request.META["CONTENT_LENGTH"] = length
    return request


def test_a_body_that_does_not_tell_its_length_is_counted(settings: Settings) -> None:
    assert read_body(request_of_length(""), Note).text == "a"
    settings.MAX_BODY_BYTES = 12
    with pytest.raises(BodyTooLarge):
        read_body(request_of_length(""), Note)


def test_a_length_that_is_no_number_is_refused() -> None:
    with pytest.raises(BadBody, match="could not be read"):
        read_body(request_of_length("many"), Note)


def test_a_body_is_not_read_when_its_length_is_too_much(settings: Settings) -> None:
    settings.MAX_BODY_BYTES = 1_000
    with pytest.raises(BodyTooLarge):
        read_body(request_of_length("1001"), Note)


BODIES = st.one_of(
    st.binary(),
    json_values(rough_text()).map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries({}, optional={"text": rough_text() | json_values(), "number": json_values()}).map(
        lambda value: json.dumps(value).encode()
    ),
)


@given(BODIES)
@hypothesis_settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_body_is_a_server_error(body: bytes) -> None:
    assert (await posted(body)).status_code in {200, 400, 422}
