"""What is said of an operator beforehand: True, False, or None where nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Hint = bool | None


@dataclass(frozen=True)
class Hints:
    """The four hints of an operator, as constructors take them."""

    is_non_singular: Hint = None
    is_self_adjoint: Hint = None
    is_positive_definite: Hint = None
    is_square: Hint = None

    def settled(self) -> Hints:
        """These hints, and what follows from them.

        Raises:
            ValueError: they contradict each other.
        """
        non_singular, square = self.is_non_singular, self.is_square
        if self.is_positive_definite:
            if non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            non_singular = True
        for hint, kind in ((non_singular, "non-singular"), (self.is_self_adjoint, "self-adjoint")):
            if hint and square is False:
                raise ValueError(f"A {kind} matrix is always square.")
            square = True if hint else square
        return Hints(non_singular, self.is_self_adjoint, self.is_positive_definite, square)

    def as_options(self) -> dict[str, Any]:
        """These hints, as arguments of a constructor."""
        return dict(vars(self))


def hints_of(operator: Any) -> Hints:
    """What is known of an operator; its shape is looked at, too."""
    return Hints(
        operator.is_non_singular,
        operator.is_self_adjoint,
        operator.is_positive_definite,
        operator.is_square,
    )


def all_of(hints: Iterable[Hint]) -> Hint:
    """True where all are, False where one is False, None where one is not known."""
    known = list(hints)
    if False in known:
        return False
    return None if None in known else True


def always(stated: Hint, fact: bool, message: str) -> bool:
    """A hint that the kind of operator answers by itself.

    Raises:
        ValueError: the user stated the contrary.
    """
    if stated is not None and stated is not fact:
        raise ValueError(message)
    return fact


def of_all(operators: Iterable[Any], hint: Callable[[Any], Hint]) -> bool:
    """Whether it is certain of every operator."""
    return all(hint(one) is True for one in operators)
