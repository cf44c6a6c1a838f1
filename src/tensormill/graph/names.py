"""Names of operations inside one graph: unique without regard to case, as TensorFlow gives them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_VALID: Final = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")
_VALID_WITHIN: Final = re.compile(r"[A-Za-z0-9_.\\/>-]*")


class UniqueNames:
    """Hands out each name once; the second `add` becomes `add_1`."""

    __slots__ = ("_uses",)

    def __init__(self) -> None:
        self._uses: dict[str, int] = {}

    def claim(self, wanted: str) -> str:
        """`wanted`, or `wanted_N` where it is taken; taken from now on."""
        uses = self._uses
        key = wanted.lower()
        count = uses.get(key)
        if count is None:
            uses[key] = 1
            return wanted
        while (numbered := f"{key}_{count}") in uses:
            count += 1
        uses[key] = count + 1
        uses[numbered] = 1
        return f"{wanted}_{count}"

    def peek(self, wanted: str) -> str:
        """What `claim` would answer, without taking it."""
        key = wanted.lower()
        count = self._uses.get(key)
        if count is None:
            return wanted
        while f"{key}_{count}" in self._uses:
            count += 1
        return f"{wanted}_{count}"

    def is_free(self, name: str) -> bool:
        return name.lower() not in self._uses


@lru_cache(4096)
def check_scope_name(name: str, scope: str) -> None:
    """Raise a ValueError where `name` cannot be part of an operation's name within `scope`."""
    if scope:
        if not _VALID_WITHIN.fullmatch(name):
            raise ValueError(
                f"'{name}' is not a valid scope name: it may contain letters, digits and "
                "_ . \\ / > - only"
            )
    elif not _VALID.fullmatch(name):
        raise ValueError(
            f"'{name}' is not a valid root scope name: it must start with a letter, a digit or a "
            "dot and may contain letters, digits and _ . \\ / > - only"
        )


def as_operation_name(text: str, fallback: str) -> str:
    """`text` as far as an operation may be called so, else `fallback`."""
    return text if _VALID.fullmatch(text) else fallback
