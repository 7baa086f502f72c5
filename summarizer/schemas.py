"""What a note may be, whichever door it comes through: the one place that holds the limits of the contract."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from backoffice.api.fields import REFUSE_LONE_SURROGATES, REFUSE_NUL

MAX_ROWS = 50
MAX_ROW_ID = 10_000
MAX_TEXT = 4_000  # characters, that is Unicode code points

NoteText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT), REFUSE_LONE_SURROGATES, REFUSE_NUL]


class NoteIn(BaseModel):
    """One invoice note as a caller sends it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    row_id: int = Field(ge=1, le=MAX_ROW_ID)
    text: NoteText


def _refuse_twice(rows: list[NoteIn]) -> list[NoteIn]:
    if len({row.row_id for row in rows}) != len(rows):
        raise PydanticCustomError("row_id_not_unique", "Each row_id must be unique within the request")
    return rows


class BatchIn(BaseModel):
    """The body of `POST /summaries/batch`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    rows: Annotated[list[NoteIn], Field(min_length=1, max_length=MAX_ROWS), AfterValidator(_refuse_twice)]


class BatchOut(BaseModel):
    """Every row_id of the request is in exactly one of the two; `failed` is in request order."""

    summaries: dict[str, str]
    failed: list[int]


class AcceptedOut(BaseModel):
    """The body of a 202; `Location` names the run to poll."""

    id: int


class ProgressOut(BaseModel):
    total: int
    done: int


class OutcomeOut(BaseModel):
    row_id: int
    state: str
    summary: str | None
    failure: str | None
    """A code of the failure vocabulary."""
    warnings: list[str]
    attempt: int
    stop_reason: str | None
    input_tokens: int | None
    output_tokens: int | None
    cost: str | None
    """USD, a decimal string; null where unknown."""
    duration_ms: int | None
    first_text_ms: int | None


class RunOut(BaseModel):
    """`GET /summaries/runs/<id>`; outcomes in request order."""

    id: int
    state: str
    model: str
    provider: str
    trigger: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: ProgressOut
    result: BatchOut
    outcomes: list[OutcomeOut]
