"""`tensorflow.python.ops.inplace_ops`: tensors with other rows; `x` itself stays as it is."""

from __future__ import annotations

from typing import Any

from ....eager.convert import convert_to_tensor
from ....ops.array.shapes import expand_dims
from ....ops.bind import bind
from ....ops.op import REGISTRY


def _changed(kind: str, x: Any, i: Any, v: Any) -> Any:
    x, v = convert_to_tensor(x), convert_to_tensor(v)
    if i is None:  # all rows
        return {"InplaceUpdate": v, "InplaceAdd": x + v, "InplaceSub": x - v}[kind]
    rows = convert_to_tensor(i)
    if rows.shape.rank == 0:
        rows, v = expand_dims(rows, 0), expand_dims(v, 0)
    return bind(REGISTRY[kind], x, rows, v)


def inplace_update(x: Any, i: Any, v: Any) -> Any:
    """`x` with the rows `i` (None: all) replaced by `v`."""
    return _changed("InplaceUpdate", x, i, v)


def inplace_add(x: Any, i: Any, v: Any) -> Any:
    """`x` with `v` added to the rows `i` (None: all)."""
    return _changed("InplaceAdd", x, i, v)


def inplace_sub(x: Any, i: Any, v: Any) -> Any:
    """`x` with `v` taken from the rows `i` (None: all)."""
    return _changed("InplaceSub", x, i, v)
