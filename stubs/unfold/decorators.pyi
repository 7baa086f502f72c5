from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.utils.functional import Promise

F = TypeVar("F", bound=Callable[..., Any])

def display(
    *, description: str | Promise = ..., label: Mapping[str, str] | bool = ..., ordering: str = ...
) -> Callable[[F], F]: ...
