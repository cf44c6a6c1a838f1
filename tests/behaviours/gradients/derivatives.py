"""Gradients of functions, eagerly and staged: what the claims G1 to G23 ask with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import tf

WAYS = {"eager": lambda function: function, "staged": tf.function}
each_way = pytest.mark.parametrize("way", list(WAYS.values()), ids=list(WAYS))


def gradient_of(function: Any, *sources: Any, **options: Any) -> Any:
    """A list: the gradient by each of the sources, which are watched."""
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function(*sources)
    return tape.gradient(target, list(sources), **options)


def derivative(function: Any) -> Any:
    """The function that is the gradient of one of a single tensor."""

    def differentiated(x: Any) -> Any:
        return gradient_of(function, x)[0]

    return differentiated
