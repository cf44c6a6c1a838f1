"""`tf.group`, `tf.tuple`: several things that have happened as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import context, tree
from ..core.values import TensorLike
from ..graph.operation import Operation
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.control.flow import identity, no_op
from ..ops.conversion import as_tensor
from ..ops.dispatch.meanings import dispatchable


def group(*inputs: Any, **options: Any) -> Any:
    """An operation that runs after all `inputs`; eagerly they have run already: None.

    >>> print(tf.group(tf.constant(1), tf.constant(2)))
    None

    Raises:
        TypeError: an input is neither a tensor nor an operation (traced).
        ValueError: there is another keyword than `name`.
    """
    name = options.pop("name", None)
    if options:
        raise ValueError(f"Unknown keyword arguments: {', '.join(options)}")
    if not context.building_graph():
        return None
    from ..eager.scopes import control_dependencies

    leaves = [one for one in tree.flatten(list(inputs)) if one is not None]
    for one in leaves:
        if not isinstance(one, (TensorLike, Operation, tree.Composite)):
            raise TypeError(
                f"'inputs' should be zero or more (nested) Tensors or Operations, received "
                f"{type(one).__name__}"
            )
    with control_dependencies([_last_of(one) for one in leaves]):
        return no_op(name=name or "group_deps")


def _last_of(value: Any) -> Any:
    return value._component_tensors()[0] if isinstance(value, tree.Composite) else value


@dispatchable
def tuple(
    tensors: Sequence[Any], control_inputs: Sequence[Any] | None = None, name: str | None = None
) -> list[Any]:
    """The tensors as a list, available once all of them and `control_inputs` are.

    None stays None.

    tensors: of any shapes and dtypes, which the results have.

    >>> [one if one is None else int(one) for one in tf.tuple([tf.constant(1), None])]
    [1, None]

    Raises:
        ValueError: there is no tensor (traced).
        TypeError: a control input is neither a tensor nor an operation.
    """
    for one in control_inputs or ():
        if not isinstance(one, (TensorLike, Operation)):
            raise TypeError(f"Control input must be Operation or Tensor: {one!r}")
    if not context.building_graph():
        return list(tensors)
    if not any(one is not None for one in tensors):
        raise ValueError(f"Must have at least one Tensor. Received: {tensors}")
    gate = group(*tensors, *(control_inputs or ()), name=f"{name or 'tuple'}/group_deps")
    from ..eager.scopes import control_dependencies

    with control_dependencies([gate]):
        return [_passed(one, name or "tuple") for one in tensors]


def _passed(value: Any, name: str) -> Any:
    if value is None or isinstance(value, Operation):
        return value
    if isinstance(value, IndexedSlices):
        values = identity(value.values, f"{name}/control_dependency")
        return IndexedSlices(values, value.indices, value.dense_shape)
    return identity(as_tensor(value), f"{name}/control_dependency")
