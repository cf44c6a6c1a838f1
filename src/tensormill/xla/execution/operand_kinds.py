"""What goes into programs and comes out of them: what tells which program it is, and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import jax
import numpy as np

from ...core.dtypes import of_storage
from ...core.specs import TensorSpec
from ...eager.storage import Away, Storage
from ...eager.tensor import wrap, wrap_away, wrap_handle
from ...ops.lists.list_value import ListValue
from ..device_places import place_on
from ..lists import HeldList, held, released
from ..operands import (
    BetweenPrograms,
    FixedValue,
    Given,
    GivenArray,
    GivenList,
    GivenObject,
    GivenVariable,
    SlotFacts,
)
from ..shardings import place_of, sharding_of
from ..values import dtype_is_usual

Kind = tuple[tuple[int, ...], Any]  # a shape and a dtype of NumPy's


def given_of(operand: Any, slots: dict[Storage, int]) -> Given:
    """The kind of an operand."""
    if isinstance(operand, Given):
        return operand
    if isinstance(operand, (np.ndarray, jax.Array)):
        array = cast("Any", operand)
        if dtype_is_usual(of_storage(array.dtype)):
            return GivenArray(array.shape, array.dtype, place_of(array))
        return GivenObject(TensorSpec(array.shape, as_tensor(array).dtype))
    if isinstance(operand, BetweenPrograms):
        return operand.given()
    if type(operand) is HeldList:
        leaves, layout = jax.tree.flatten(operand)
        arrays = [GivenArray(one.shape, one.dtype, place_of(one)) for one in leaves]
        return GivenList(tuple(arrays), layout)
    if type(operand) is Storage:
        return GivenVariable(slots[operand])
    return GivenObject(operand.spec)


def kinds_of(operands: Sequence[Any], has_homes: bool) -> tuple[Sequence[Storage], Any]:
    """The variables among operands, and what tells which program is for them.

    has_homes: whether variables stay where they were made.
    """
    storages = list(dict.fromkeys([one for one in operands if type(one) is Storage]))
    slots = {storage: k for k, storage in enumerate(storages)}
    given = tuple([given_of(one, slots) for one in operands])
    return storages, (given, tuple([_facts_of(one, has_homes) for one in storages]))


@lru_cache(4096)
def kind_with(shape: tuple[int, ...], dtype: Any) -> Kind:
    """What tells arrays apart: native code knows it by its address."""
    return shape, dtype


def payload_of(operand: Any) -> Any:
    """What an operand of a call is: where it is on the device, that."""
    away = operand._away
    return operand._array if away is None or away[1] is None else away[1]


def prepared(operand: Any) -> Any:
    """An operand as programs take it."""
    return held(operand) or operand if type(operand) is ListValue else operand


def _facts_of(storage: Storage, has_homes: bool) -> SlotFacts:
    array = storage.array
    if type(array) is Away:
        shape = array.device_array.shape
    else:
        value = storage.value()
        shape = None if value is None else value.shape
    place = sharding_of(storage.division)
    home = place_on(storage.device) if has_homes else None
    return SlotFacts(shape, storage.spec, storage.name, storage.trainable, place, home)


def varying(value: Any) -> Any:
    """A value that is no constant of the programs that take it."""
    return value.array if type(value) is FixedValue else value


def as_numpy(value: Any) -> np.ndarray[Any, Any]:
    """An array of a program's, or of NumPy's, as tensors hold it."""
    if type(value) is FixedValue:
        return value.array
    if isinstance(value, np.ndarray):
        return cast("np.ndarray[Any, Any]", value)
    return np.asarray(value)


def as_tensor(value: Any) -> Any:
    """A result as an eager tensor."""
    if isinstance(value, BetweenPrograms):
        return value.tensor()
    if isinstance(value, (np.ndarray, jax.Array)):
        return wrap(as_numpy(value))
    return wrap_handle(released(value) if type(value) is HeldList else value)


def as_result(value: Any) -> Any:
    """The same of a whole graph's, which stays on the device until somebody looks."""
    if isinstance(value, BetweenPrograms):
        return value.result()
    if isinstance(value, jax.Array) and place_of(value) is None:
        return wrap_away(kind_with(value.shape, of_storage(value.dtype).storage), value)
    return as_tensor(value)


def bytes_of(tensor: Any) -> int:
    array = tensor._array
    return array.nbytes if isinstance(array, np.ndarray) else 0
