"""The format in which tests and replays write down what a server sent."""

from pathlib import Path

import pytest

from backoffice.llm.scripted.captures import CaptureError, parse_capture, read_captures
from backoffice.llm.scripted.script import DONE, Drop, Sleep, Step


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", (DONE,)),
        ("# about it\n\n", (DONE,)),
        ('{"a": 1}', (b'data: {"a": 1}\n\n', DONE)),
        ('{"a": 1}\n!done', (b'data: {"a": 1}\n\n', DONE)),
        ('{"a": 1}\n!eof\n', (b'data: {"a": 1}\n\n',)),
        ("!drop", (Drop(),)),
        ("!sleep 0.5\n!eof", (Sleep(0.5),)),
        ("!hex 00 ff c3\n!eof", (b"\x00\xff\xc3",)),
        (r"!raw : ping\n\n" + "\n!eof", (b": ping\n\n",)),
        (r"!raw data: \x41\r\n" + "\n!eof", (b"data: A\r\n",)),
        ("!raw data: zł ৳\n!eof", ("data: zł ৳".encode(),)),
        ('{"text": "a\u2028b\x85c"}\n!eof', ('data: {"text": "a\u2028b\x85c"}\n\n'.encode(),)),
    ],
)
def test_each_line_is_what_it_says(text: str, steps: tuple[Step, ...]) -> None:
    script = parse_capture(text)
    assert (script.status, script.body) == (200, steps)


def test_a_status_line_is_the_whole_answer() -> None:
    script = parse_capture(
        '# busy\n!status 429;Retry-After=0;X-Id=a=b application/json {"error": {"message": "slow down"}}'
    )
    assert script.status == 429
    assert script.body == (b'{"error": {"message": "slow down"}}',)
    headers = dict(script.headers)
    assert (headers["content-type"], headers["retry-after"], headers["x-id"]) == ("application/json", "0", "a=b")
    assert headers["content-length"] == str(len(script.body[0]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}\nhello", "line 2: 'hello' is no kind of line"),
        ("!hex f", "line 1: !hex takes pairs"),
        ("!sleep soon", "line 1: !sleep takes a number"),
        (r"!raw \x4", "line 1: bad escape"),
        ("!status teapot text/html x", "line 1: write !status CODE"),
        ("!status 429", "line 1: write !status CODE"),
        ("!status 429;Retry-After text/html x", "line 1: 'Retry-After' is no Header=Value"),
        ("!status 500 text/html x\n{}", "line 2: nothing follows !status"),
        ("{}\n!status 500 text/html x", "line 2: '!status' is no kind of line"),
    ],
)
def test_a_line_that_is_wrong_is_named(text: str, words: str) -> None:
    with pytest.raises(CaptureError, match=words.replace("[", r"\[")):
        parse_capture(text)


def test_a_directory_is_read_by_the_names_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b_two.jsonl").write_text("!drop", encoding="utf-8")
    (tmp_path / "a_one.jsonl").write_text("!eof", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not one", encoding="utf-8")
    assert list(read_captures(tmp_path)) == ["a_one", "b_two"]


@pytest.mark.parametrize("content", [b"what?", b"\xff"])
def test_a_file_that_is_wrong_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.jsonl").write_bytes(content)
    with pytest.raises(CaptureError, match=r"^broken\.jsonl: "):
        read_captures(tmp_path)
