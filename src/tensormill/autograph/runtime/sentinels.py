"""Values that stand for no value."""

from __future__ import annotations

from typing import Final


class Absence:
    """A named nothing."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


# The variable is not bound.
UNSET: Final = Absence("UNSET")

# The function has not returned yet. A staged statement may fill it with anything of the right
# type: whether it is ever looked at, the flag beside it decides.
NO_VALUE: Final = Absence("NO_VALUE")
