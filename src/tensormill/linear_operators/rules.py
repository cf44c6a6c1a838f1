"""Where operators find kinds that are made of them, which register themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

Maker = TypeVar("Maker", bound=Callable[..., Any])

# By "adjoint", "inverse", "cholesky", "product", "quotient".
_makers: Final[dict[str, Callable[..., Any]]] = {}


def makes(what: str) -> Callable[[Maker], Maker]:
    """Decorate what makes the adjoint (inverse, ...) of an operator that knows no simpler one."""

    def register(maker: Maker) -> Maker:
        _makers[what] = maker
        return maker

    return register


def made(what: str, *operands: Any) -> Any:
    return _makers[what](*operands)
