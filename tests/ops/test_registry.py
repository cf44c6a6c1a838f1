"""Every operation has its name for itself."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator

import pytest

from tensormill.ops.effects import Reads, Writes
from tensormill.ops.math import bitwise
from tensormill.ops.op import REGISTRY, Op


@pytest.fixture(autouse=True)
def _registry_as_it_was() -> Iterator[None]:
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def test_two_operations_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="'AddV2' is defined twice"):
        type("AddV2", (Op,), {})


def test_a_module_that_is_run_again_defines_its_operations_anew() -> None:
    """As after an import that was interrupted."""
    name, before = bitwise.__name__, REGISTRY["BitwiseAnd"]
    kept = sys.modules.pop(name)
    try:
        again = importlib.import_module(name)
        assert REGISTRY["BitwiseAnd"] is again.BitwiseAnd is not before
    finally:
        sys.modules[name] = kept


def test_effects_are_about_operands_that_the_operation_has() -> None:
    wrong = [
        (op.name, effect)
        for op in REGISTRY.values()
        for effect in op.effects
        if isinstance(effect, Reads | Writes)
        and effect.field not in [field.name for field in op.inputs]
    ]

    assert wrong == []
    assert Reads("x") != Writes("x")
