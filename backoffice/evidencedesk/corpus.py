"""The documents that answers rest on: a folder of Markdown files, each with a front matter of `id` and `status`.

Whoever edits the folder makes mistakes, so reading it never raises: a document with a fault is left out, and the fault
says in words what to mend. `manage.py check` and `manage.py check_corpus` show the faults before a customer meets them.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

LONGEST_TEXT = 20_000
"""Characters. A longer document is parted, so that a citation leads to something one can read."""
NO_DOCUMENT = "none"
"""What an answer in prose cites when no document answers; no document may be called so."""
SUFFIX = ".md"
_OTHER_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mkdn"})
"""In lower case: what else a Markdown file may be called, by somebody who then wonders why it is not read."""
_ID = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$|^(?=\S)([^\n]+)\n(?:=+|-{2,})[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNFIT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters and half characters, which YAML can name by an escape."""


class DocumentStatus(StrEnum):
    CURRENT = "current"
    SUPERSEDED = "superseded"
    """It once held: it may be shown to the model, named as such, and is never cited."""
    DRAFT = "draft"
    WITHDRAWN = "withdrawn"


SHOWN = frozenset({DocumentStatus.CURRENT, DocumentStatus.SUPERSEDED})
"""What may reach a model, and through it a customer."""


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    status: DocumentStatus
    title: str
    text: str
    """Markdown, without the front matter and without comments, which are meant for nobody who asks."""
    sha256: str
    """Of the file's bytes, hexadecimal: it finds the version in the history of the folder."""

    @property
    def citable(self) -> bool:
        return self.status is DocumentStatus.CURRENT


@dataclass(frozen=True, slots=True)
class Fault:
    file: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Corpus:
    documents: Mapping[str, Document]
    """The ones without fault, by id."""
    faults: tuple[Fault, ...] = ()


class _Unusable(ValueError):
    """The message says what is wrong with the document at hand."""


class _AsWritten(yaml.BaseLoader):
    """Every value is the text that was written: `2025-06-31` is no date and so no impossible one, `no` is no bool."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise _Unusable(f"its front matter gives '{twice[0]:.80}' twice")
        return super().construct_mapping(node, deep)


class _FrontMatter(YAMLHandler):
    def load(self, fm: str, **_: object) -> Any:
        return yaml.load(fm, _AsWritten)  # noqa: S506 - it constructs texts, lists and mappings of them, nothing else


def load_corpus(folder: Path) -> Corpus:
    """Every `*.md` in the folder and below it, in the order of their names."""
    if not is_folder(folder):
        return Corpus({}, (Fault(_printable(folder), "there is no such folder; EVIDENCE_CORPUS names it"),))
    files = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in _OTHER_SUFFIXES]
    if not files:
        return Corpus({}, (Fault(_printable(folder), "it holds no document (*.md)"),))
    read = [(_printable(path.relative_to(folder)), _read(path)) for path in files]
    faults = [Fault(name, result) for name, result in read if isinstance(result, str)]
    named = [(name, result) for name, result in read if isinstance(result, Document)]
    twice = {id_ for id_, count in Counter(document.id for _, document in named).items() if count > 1}
    faults += [Fault(name, f"the id '{d.id}' is another document's too") for name, d in named if d.id in twice]
    return Corpus({d.id: d for _, d in named if d.id not in twice}, tuple(sorted(faults, key=str)))


def is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long, a folder above it closed to us
        return False


def _printable(path: Path) -> str:
    """A file's name may hold line breaks, and bytes that are no characters; a fault is one line."""
    return "".join(character if character.isprintable() else "\ufffd" for character in path.as_posix())


def _read(path: Path) -> Document | str:
    """The document, or what is wrong with it."""
    try:
        content = _bytes(path)
        fields, text = _parted(content.decode("utf-8-sig"))
        return _document(fields, _COMMENT.sub("", text).strip(), hashlib.sha256(content).hexdigest())
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except _Unusable as error:
        return str(error)


def _bytes(path: Path) -> bytes:
    if path.suffix != SUFFIX:
        raise _Unusable(f"its name does not end with {SUFFIX}; rename it, for it is not read")
    if path.exists() and not path.is_file():
        raise _Unusable("it cannot be read (it is no file)")  # a pipe would never end
    return path.read_bytes()


def _parted(content: str) -> tuple[Mapping[str, Any], str]:
    """The front matter and the text. Raises _Unusable."""
    handler = _FrontMatter()
    try:
        return frontmatter.parse(content, handler=handler) if handler.detect(content.lstrip()) else ({}, content)
    except _Unusable:
        raise
    except Exception as error:  # besides errors of its own, PyYAML lets through whatever Python raises over a value
        mark = getattr(error, "problem_mark", None)
        raise _Unusable(f"its front matter is not YAML{f' (line {mark.line + 2})' if mark else ''}") from None


def _document(fields: Mapping[str, Any], text: str, sha256: str) -> Document:
    if not fields:
        raise _Unusable("it has no front matter; it begins with --- and names an id and a status")
    id_ = _id(fields.get("id"))
    status = _status(fields.get("status"))
    if not any(map(str.isalnum, text)):
        raise _Unusable("it has no text")
    if len(text) > LONGEST_TEXT:
        raise _Unusable(f"its text has {len(text)} characters, {LONGEST_TEXT} at most; part it")
    if "\0" in text:
        raise _Unusable("its text holds a NUL character")
    return Document(id_, status, _title(fields.get("title"), text) or id_, text, sha256)


def _id(value: object) -> str:
    if value in (None, ""):
        raise _Unusable("it has no id")
    if not isinstance(value, str) or _ID.fullmatch(value) is None or value.lower() == NO_DOCUMENT:
        raise _Unusable(
            f"its id {_named(value)} is none: write up to 64 letters, digits, '.', '_' and '-', "
            f"among them a letter, and not '{NO_DOCUMENT}'"
        )
    return value


def _status(value: object) -> DocumentStatus:
    if value in (None, ""):
        raise _Unusable("it has no status")
    if value not in list(DocumentStatus):
        raise _Unusable(f"its status {_named(value)} is unknown; known are {', '.join(DocumentStatus)}")
    return DocumentStatus(str(value))


def _title(value: object, text: str) -> str:
    """The front matter's, else the first heading; one line, since it stands in one."""
    if not isinstance(value, str | None):
        raise _Unusable(f"its title {_named(value)} is no text")
    heading = _HEADING.search(text)
    title = value or (heading[1] or heading[2] if heading else "")
    if _UNFIT.search(title):
        raise _Unusable("its title holds a character that cannot be shown")
    return " ".join(title.split())[:200]


def _named(value: object) -> str:
    """A list may hold itself, or one list a billion times: it is named by its kind."""
    return f"{value!r:.80}" if isinstance(value, str) else f"(a {type(value).__name__})"
