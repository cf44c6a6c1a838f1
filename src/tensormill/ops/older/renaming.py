"""Operations under other names: classes that only say so, made from what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from types import MappingProxyType
from typing import Any, Final

from ...core.dtypes import DType
from ..bind import bind
from ..control.functional import GivenGraphs
from ..families import Rephrased
from ..op import Field, Op, OpType

_SAID_ELSEWHERE: Final = ("__module__", "__qualname__", "__doc__")


def renamed(
    name: str,
    op: type[Op],
    module: str,
    without: str = "",
    dtypes: Mapping[str, frozenset[DType]] = MappingProxyType({}),
    **names: str,
) -> type[Rephrased]:
    """The operation `name`, which is `op`, defined in `module`.

    without: the attributes that it has not, whose defaults count. dtypes: what its dtype symbols
    may be, where that is less than those of `op`. names: what fields of `op` are called in it.
    """
    called = {field.name: names.get(field.name, field.name) for field in op.fields.values()}
    own = {called[one]: _field(field, called[one]) for one, field in op.fields.items()
           if one not in without.split()}  # fmt: skip
    symbols = {one.dtype: getattr(op, one.dtype, None) for one in op.inputs} | {**dtypes}

    def expand(self: Any) -> Any:
        operands = [getattr(self, called[field.name]) for field in op.inputs]
        kept = [field.name for field in op.attrs if called[field.name] in own]
        attrs = {one: getattr(self, called[one]) for one in kept}
        return bind(op, *operands, **attrs)

    body: dict[str, Any] = {
        "__module__": module, "__qualname__": name, "expand": expand,
        "__doc__": f"{op.name} under another name.", **own,
        **{key: value for key, value in symbols.items() if isinstance(value, frozenset)},
        "differentiable": op.differentiable,
    }  # fmt: skip
    bases: tuple[type[Op], ...] = (Rephrased,)
    if issubclass(op, GivenGraphs):
        bases = Rephrased, GivenGraphs
        finding: Any = op.graphs_for
        body |= {"graph_attrs": op.graph_attrs, "graphs_for": classmethod(finding.__func__)}
    made: Any = OpType(name, bases, body)
    return made


def _field(field: Field, name: str) -> Field:
    """A field as another class may have it."""
    own = copy(field)
    own.name = name
    return own
