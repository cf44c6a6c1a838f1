"""Variables beside a variable, as optimizers keep them: `tensorflow.python.training.slot_creator`.

A slot is called as its variable and, below that, by its own name: `net/w/Momentum`.
"""

from __future__ import annotations

from typing import Any

from ...core.dtypes import as_dtype
from ...eager.scopes import name_scope
from ...eager.variable_saving import tell_place
from ...ops.array.fill import zeros
from ..variable import VariableV1


def create_slot(
    primary: Any, val: Any, name: str, colocate_with_primary: bool = True,
    *, copy_xla_sharding: bool = False,
) -> Any:  # fmt: skip
    """A variable called `name` below that of `primary`, not trained, which begins as `val`."""
    return _made(primary, name, val)


def create_slot_with_initializer(
    primary: Any, initializer: Any, shape: Any, dtype: Any, name: str,
    colocate_with_primary: bool = True, *, copy_xla_sharding: bool = False,
) -> Any:  # fmt: skip
    """The same, of a shape and dtype of its own, which an initializer fills."""
    return _made(primary, name, lambda: initializer(shape, dtype=as_dtype(dtype)))


def create_zeros_slot(
    primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True,
    *, copy_xla_sharding: bool = False,
) -> Any:  # fmt: skip
    """The same, of zeros, as large as `primary`."""
    wanted = primary.dtype if dtype is None else as_dtype(dtype)
    return _made(primary, name, lambda: zeros(primary.shape, wanted))


def _made(primary: Any, name: str, initial: Any) -> Any:
    with name_scope(""):
        slot: Any = VariableV1(initial, trainable=False, name=f"{primary.op.name}/{name}")
    tell_place(slot, primary)
    return slot
