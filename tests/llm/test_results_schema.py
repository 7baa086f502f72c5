"""The schema that a server is held to: a Pydantic model in the words of strict mode, or a clear refusal."""

from collections.abc import Callable
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, Field, RootModel

from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Completion, StopReason
from backoffice.llm.results import ask_structured, read_structured, response_format
from backoffice.llm.scripted.script import Script
from tests.llm.streams import ENDED, Player, chunk, question

Configured = Callable[..., ModelConfig]


class Line(BaseModel):
    kind: Literal["debit", "credit"]
    note: str | None = None


class Booking(BaseModel):
    """A booking of lines."""

    title: str = Field(max_length=9, default="")
    lines: list[Line] = Field(min_length=1)
    first: Line = Field(description="Its first line")


def test_the_response_format_is_strict_all_the_way_down() -> None:
    line = {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["debit", "credit"]},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["kind", "note"],
        "additionalProperties": False,
    }
    assert response_format(Booking) == {
        "type": "json_schema",
        "json_schema": {
            "name": "Booking",
            "strict": True,
            "schema": {
                "$defs": {"Line": line},
                "type": "object",
                "description": "A booking of lines.",
                "properties": {
                    "title": {"type": "string"},
                    "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
                    "first": {"$ref": "#/$defs/Line"},
                },
                "required": ["title", "lines", "first"],
                "additionalProperties": False,
            },
        },
    }


def test_a_choice_of_models_is_an_any_of() -> None:
    class Cat(BaseModel):
        kind: Literal["cat"]

    class Dog(BaseModel):
        kind: Literal["dog"]

    class Pet(BaseModel):
        title: Cat | Dog = Field(discriminator="kind")

    schema = response_format(Pet)["json_schema"]["schema"]
    assert schema["properties"]["title"] == {"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}


T = TypeVar("T")


class Node(BaseModel):
    children: list["Node"]


class Page(BaseModel, Generic[T]):
    items: list[T]


class Größe(BaseModel):  # noqa: PLC2401 - as an author may name it
    value: int


class WithKeys(BaseModel):
    points: dict[str, int]


class WithPatternedKeys(BaseModel):
    points: dict[Annotated[str, Field(pattern="^a")], int]


class WithAnything(BaseModel):
    rows: list[Any]


def test_a_model_that_holds_itself_is_an_object_whose_parts_are_declared() -> None:
    schema = response_format(Node)["json_schema"]["schema"]
    children = {"children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}
    node = {"type": "object", "properties": children, "required": ["children"], "additionalProperties": False}
    assert schema == {**node, "$defs": {"Node": node}}


@pytest.mark.parametrize(
    ("model", "name"), [(Page[int], "Page_int"), (Größe, "Gr_e"), (type("量", (Node,), {}), "answer"), (Node, "Node")]
)
def test_a_schema_has_a_name_that_servers_allow(model: type[BaseModel], name: str) -> None:
    assert response_format(model)["json_schema"]["name"] == name


def test_a_long_name_is_cut() -> None:
    assert len(response_format(type("N" * 99, (Node,), {}))["json_schema"]["name"]) == 64


def test_a_tuple_is_an_array_of_what_may_stand_in_it() -> None:
    class Pairs(BaseModel):
        mixed: tuple[int, str, int]
        same: tuple[int, int]
        many: tuple[int, ...]
        choice: Literal[1, "a", None]

    integers = {"type": "array", "items": {"type": "integer"}}
    assert response_format(Pairs)["json_schema"]["schema"]["properties"] == {
        "mixed": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
        "same": integers,
        "many": integers,
        "choice": {"enum": [1, "a", None], "type": ["integer", "string", "null"]},
    }
    said = Completion(text='{"mixed":[1],"same":[1,2],"many":[],"choice":1}', stop_reason=StopReason.END)
    assert read_structured(said, Pairs).code == "invalid_schema"


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (WithKeys, "WithKeys cannot be asked for: .* free keys"),
        (WithPatternedKeys, "free keys"),
        (WithAnything, "name the types"),
        (RootModel[list[int]], "an object at the root"),
    ],
)
async def test_a_model_that_strict_mode_cannot_express_is_a_programming_error(
    config_for: Configured, model: type[BaseModel], words: str
) -> None:
    player = Player(Script(body=(chunk("{}"), *ENDED)))
    with pytest.raises(TypeError, match=words):
        await ask_structured(question(), model, config_for(player))
    assert player.calls == []
