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

LONGEST_TEXT = 20_000
"""Characters. A longer document is parted, so that a citation leads to something one can read."""
NO_DOCUMENT = "none"
"""What an answer in prose cites when no document answers; no document may be called so."""
_ID = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)


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
    """Markdown, without the front matter."""
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


def load_corpus(folder: Path) -> Corpus:
    """Every `*.md` in the folder and below it, in the order of their names."""
    if not folder.is_dir():
        return Corpus({}, (Fault(str(folder), "there is no such folder; EVIDENCE_CORPUS names it"),))
    read = [(path.relative_to(folder).as_posix(), _read(path)) for path in sorted(folder.rglob("*.md"))]
    if not read:
        return Corpus({}, (Fault(str(folder), "it holds no document (*.md)"),))
    faults = [Fault(name, result) for name, result in read if isinstance(result, str)]
    named = [(name, result) for name, result in read if isinstance(result, Document)]
    twice = {id_ for id_, count in Counter(document.id for _, document in named).items() if count > 1}
    faults += [Fault(name, f"the id '{d.id}' is another document's too") for name, d in named if d.id in twice]
    return Corpus({d.id: d for _, d in named if d.id not in twice}, tuple(sorted(faults, key=str)))


def _read(path: Path) -> Document | str:
    """The document, or what is wrong with it."""
    try:
        content = path.read_bytes()
        post = frontmatter.loads(content.decode("utf-8-sig"))
        return _document(post.metadata, post.content.strip(), hashlib.sha256(content).hexdigest())
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return f"its front matter is not YAML{f' (line {mark.line + 2})' if mark else ''}"
    except _Unusable as error:
        return str(error)


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
    if value is None:
        raise _Unusable("it has no id")
    if not isinstance(value, str) or _ID.fullmatch(value) is None or value.lower() == NO_DOCUMENT:
        raise _Unusable(
            f"its id {value!r:.80} is none: write up to 64 letters, digits, '.', '_' and '-', "
            f"among them a letter, and not '{NO_DOCUMENT}'"
        )
    return value


def _status(value: object) -> DocumentStatus:
    if value is None:
        raise _Unusable("it has no status")
    if value not in list(DocumentStatus):
        raise _Unusable(f"its status {value!r:.80} is unknown; known are {', '.join(DocumentStatus)}")
    return DocumentStatus(str(value))


def _title(value: object, text: str) -> str:
    """The front matter's, else the first heading; one line, since it stands in one."""
    heading = _HEADING.search(text)
    title = value if isinstance(value, str) else heading[1] if heading else ""
    return " ".join(title.split())[:200]
