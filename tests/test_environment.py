"""How a setting is read: blank is not set, and what cannot be read is named, in words, without any password."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from backoffice import environment

NAME = "SETTING_OF_A_TEST"
Read = Callable[[], Any]
READ: dict[str, tuple[Read, Any]] = {
    "text": (lambda: environment.text(NAME, "as usual"), "as usual"),
    "list": (lambda: environment.listed(NAME, ["a", "b"]), ["a", "b"]),
    "choice": (lambda: environment.choice(NAME, "a", ("a", "b")), "a"),
    "number": (lambda: environment.number(NAME, 1.5), 1.5),
    "whole": (lambda: environment.whole(NAME, 7), 7),
    "positive": (lambda: environment.positive(NAME, 7), 7),
    "amount": (lambda: environment.amount(NAME), None),
    "object": (lambda: environment.json_object(NAME, "{}"), {}),
    "zone": (lambda: environment.time_zone(NAME, "UTC"), "UTC"),
    "database": (
        lambda: environment.database(NAME, "sqlite:////a/b")["NAME"],
        "/a/b",
    ),
    "cache": (lambda: environment.cache(NAME, "locmemcache://")["LOCATION"], ""),
    "mail server": (lambda: environment.mail_server(NAME, "smtp://host:25")["EMAIL_HOST"], "host"),
    "redis": (lambda: environment.redis_address(NAME, "redis://host"), "redis://host"),
}


@pytest.mark.parametrize("value", [None, "", " "])
@pytest.mark.parametrize("kind", READ)
def test_a_variable_that_is_blank_means_the_default(
    monkeypatch: pytest.MonkeyPatch, kind: str, value: str | None
) -> None:
    if value is not None:
        monkeypatch.setenv(NAME, value)
    read, default = READ[kind]
    assert read() == default


@pytest.mark.parametrize(("value", "on"), [(None, True), ("", False), ("no", False), ("0", False), ("True", True)])
def test_a_switch_that_is_blank_is_off(monkeypatch: pytest.MonkeyPatch, value: str | None, on: bool) -> None:
    if value is not None:
        monkeypatch.setenv(NAME, value)
    assert environment.switch(NAME, default=True) is on


def test_a_value_is_taken_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("$ecret", " spaced ", "#1"):
        monkeypatch.setenv(NAME, value)
        assert environment.text(NAME, "as usual") == value


@pytest.mark.parametrize(
    ("kind", "value", "wrong"),
    [
        ("choice", "c", "'c'; set it to one of: a, b"),
        ("number", "30s", "must be a number, not '30s'"),
        ("number", "1,000", "must be a number"),
        ("whole", "2.5", "must be a whole number"),
        ("positive", "0", "above 0"),
        ("amount", "much", "an amount such as 2.50"),
        ("object", '{"a":', "must be JSON such as .*line 1"),
        ("object", "[" * 100_000, "must be JSON"),
        ("object", "[]", "not a list"),
        ("zone", "Mars", "'Mars', no time zone"),
        ("zone", "../UTC", "no time zone"),
        ("database", "mysql://host/name", "its scheme"),
        ("database", "host/name", "its scheme"),
        ("database", "postgres:/host/name", "its scheme"),
        ("database", "sqlite://var/name", "a path follows sqlite:///"),
        ("cache", "memory://", "its scheme"),
        ("redis", "http://host", "its scheme"),
        ("redis", "redis://host:port", "its host or its port"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_to_write(
    monkeypatch: pytest.MonkeyPatch, kind: str, value: str, wrong: str
) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured, match=f"(?s)^{NAME}.*{wrong}"):
        READ[kind][0]()


def test_a_switch_that_is_neither_on_nor_off_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "flase")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} must be true or false, not 'flase'"):
        environment.switch(NAME, default=True)


@pytest.mark.parametrize("kind", ["database", "cache", "mail server", "redis"])
@pytest.mark.parametrize(
    "url",
    ["{}://user:s3cr3t@[::1/1", "{}://user:s3/cr3t@host:1/1", "{}x://user:s3cr3t@host/1", "//user:s3cr3t@host/1",
     "s3cr3t://host", "{}://user:s3cr3t@host:port/1"],
)  # fmt: skip
def test_a_password_is_in_no_refusal(monkeypatch: pytest.MonkeyPatch, kind: str, url: str) -> None:
    scheme = {"database": "postgres", "cache": "rediscache", "mail server": "smtp", "redis": "redis"}[kind]
    monkeypatch.setenv(NAME, url.format(scheme))
    with pytest.raises(ImproperlyConfigured, match=f"^{NAME}: its .*%40") as refused:
        READ[kind][0]()
    assert "s3" not in str(refused.value)
    assert refused.value.__suppress_context__


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////a/b.sqlite3", "/a/b.sqlite3"),
        ("sqlite://:memory:", ":memory:"),
        ("postgres://u:p%40%2F@h:5432/n", "n"),
        ("postgres://u:p@h1:1,h2:2/n", "n"),
        ("postgresql://h/n?sslmode=require", "n"),
    ],
)
def test_a_database_in_order_is_read(monkeypatch: pytest.MonkeyPatch, url: str, name: str) -> None:
    monkeypatch.setenv(NAME, url)
    assert environment.database(NAME, "")["NAME"] == name


def test_an_amount_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "2.50")
    assert environment.amount(NAME) == Decimal("2.50")


def test_a_folder_that_cannot_be_made_is_named_with_its_variable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}: the folder .* cannot be made"):
        environment.make_folder(NAME, tmp_path / "file" / "folder")
