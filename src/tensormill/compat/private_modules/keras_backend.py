"""`tensorflow.python.keras.backend`: of a Keras that TensorFlow keeps for its own sake."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...core.context import building_graph
from ...graph.builder import current_graph
from ...graph.func_graph import FuncGraph


def get_graph() -> Any:
    """The graph that is being built; where none is, one that stays empty.

    TensorFlow's has what that Keras made, which is nothing: Keras 3 builds no graphs there.
    """
    return current_graph() if building_graph() else _empty()


@cache
def _empty() -> FuncGraph:
    return FuncGraph("keras_graph")
