"""Private modules that libraries import, and that cannot be here: their names refuse to be used."""

from __future__ import annotations

from typing import Any


def refused(name: str, reason: str) -> type[Any]:
    """A class that may be named and inherited from; who makes one, or calls it, hears why not."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(f"{name} is not here: {reason}")

    return type(name.rpartition(".")[2], (), {"__init__": refuse, "__doc__": reason})
