"""Gradients against finite differences: the definition that every rule is tested with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tensormill.autodiff.tape import GradientTape

Array = np.ndarray[Any, Any]
Run = Callable[..., Array]


def gradients_of(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    """The function that gives the gradients of the sum of `function` by each of its arguments."""

    def differentiated(*arguments: Any) -> list[Any]:
        with GradientTape() as tape:
            tape.watch(arguments)
            result = function(*arguments)
        return tape.gradient(result, list(arguments), unconnected_gradients="zero")

    return differentiated


def numeric_gradients(
    run: Run, arguments: Sequence[Array], step: float | None = None
) -> list[Array]:
    """Central differences of the sum of what `run` gives, by each element of float64 arrays.

    `run` takes arrays and gives an array. The error is about step² of the third derivative and
    2e-16 / step of the value: the default step makes both small for values near 1.
    """
    width = step or 6e-6
    return [
        np.array(
            [
                _slope(run, arguments, position, place, width)
                for place in np.ndindex(argument.shape)
            ],
            np.float64,
        ).reshape(argument.shape)
        for position, argument in enumerate(arguments)
    ]


def _slope(
    run: Run, arguments: Sequence[Array], position: int, place: tuple[int, ...], width: float
) -> float:
    values: list[float] = []
    for direction in (width, -width):
        moved = [np.array(argument, np.float64) for argument in arguments]
        moved[position][place] += direction
        values.append(float(np.sum(run(*moved))))
    return (values[0] - values[1]) / (2 * width)


def assert_gradients(
    run: Run, derivatives: Callable[..., Sequence[Array]], *arguments: Any, tolerance: float = 1e-7
) -> None:
    """Raise an AssertionError where `derivatives` of the arguments are not those of `run`."""
    arrays = [np.asarray(argument, np.float64) for argument in arguments]
    found, wanted = derivatives(*arrays), numeric_gradients(run, arrays)
    for position, (have, want) in enumerate(zip(found, wanted, strict=True)):
        np.testing.assert_allclose(
            have, want, rtol=tolerance, atol=tolerance, err_msg=f"gradient by argument {position}"
        )
