r"""Reads captures: text files that say, line by line, what a server sent as the answer to one model call.

| line | sent |
| --- | --- |
| `# …`, or nothing | nothing: a comment |
| `{…}` | `data: {…}` and a blank line |
| `!raw TEXT` | the text, with Python's escapes (`\n`, `\x00`) decoded, as UTF-8 |
| `!hex HEX` | these bytes |
| `!sleep SECONDS` | nothing for so long |
| `!done` | `data: [DONE]`; implied at the end of a file without `!done`, `!drop` and `!eof` |
| `!drop` | the connection is cut |
| `!eof` | a clean end of the body |
| `!status CODE[;Header=Value…] TYPE BODY` | the whole answer; first line only |
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from backoffice.llm.scripted.script import DONE, Drop, Script, Sleep, Step, whole_answer

SUFFIX = ".jsonl"
_ENDINGS = frozenset({"!done", "!drop", "!eof"})


class CaptureError(ValueError):
    """The message names the line."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str

    @property
    def word(self) -> str:
        return self.text.split(" ", 1)[0]

    @property
    def rest(self) -> str:
        return self.text.partition(" ")[2]

    def error(self, message: str) -> CaptureError:
        return CaptureError(f"line {self.number}: {message}")


def parse_capture(text: str) -> Script:
    """Raises CaptureError. Lines end at LF alone, for text inside an event may hold every other line separator."""
    lines = [_Line(number, line) for number, line in enumerate(text.split("\n"), start=1)]
    items = [line for line in lines if line.text.strip() and not line.text.startswith("#")]
    if items and items[0].word == "!status":
        if len(items) > 1:
            raise items[1].error("nothing follows !status, which is the whole answer")
        return _status_answer(items[0])
    body = tuple(step for line in items for step in _steps(line))
    ended = any(line.word in _ENDINGS for line in items)
    return Script(body=body if ended else (*body, DONE))


def read_capture(path: Path) -> Script:
    """Raises CaptureError, naming the file and the line, and OSError."""
    try:
        return parse_capture(path.read_bytes().decode("utf-8"))
    except ValueError as error:
        raise CaptureError(f"{path.name}: {error}") from error


def read_captures(directory: Path) -> Mapping[str, Script]:
    """Every capture of a directory, by its name without the suffix. Raises CaptureError and OSError."""
    return {path.stem: read_capture(path) for path in sorted(directory.glob(f"*{SUFFIX}"))}


def _steps(line: _Line) -> Iterator[Step]:
    if line.text.startswith("{"):
        yield b"data: %b\n\n" % line.text.encode("utf-8")
        return
    match line.word:
        case "!raw":
            yield _unescaped(line)
        case "!hex":
            yield _bytes(line)
        case "!sleep":
            yield Sleep(_seconds(line))
        case "!done":
            yield DONE
        case "!drop":
            yield Drop()
        case "!eof":
            pass
        case word:
            raise line.error(f"{word!r} is no kind of line")


def _unescaped(line: _Line) -> bytes:
    try:
        text = line.rest.encode("latin-1", "backslashreplace").decode("unicode_escape")
        return text.encode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise line.error(f"bad escape: {error.reason}") from None


def _bytes(line: _Line) -> bytes:
    try:
        return bytes.fromhex(line.rest)
    except ValueError:
        raise line.error("!hex takes pairs of hexadecimal digits") from None


def _seconds(line: _Line) -> float:
    try:
        return float(line.rest)
    except ValueError:
        raise line.error("!sleep takes a number of seconds") from None


def _status_answer(line: _Line) -> Script:
    code, _, rest = line.rest.partition(" ")
    media_type, _, content = rest.partition(" ")
    status, *fields = code.split(";")
    if not status.isdecimal() or not media_type:
        raise line.error("write !status CODE[;Header=Value] TYPE BODY")
    headers = dict(_header(line, field) for field in fields)
    return whole_answer(int(status), content.encode("utf-8"), media_type, headers)


def _header(line: _Line, field: str) -> tuple[str, str]:
    name, separator, value = field.partition("=")
    if not separator:
        raise line.error(f"{field!r} is no Header=Value")
    return name.lower(), value
