"""Functions that were traced for the parts of variables, which are saved as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..checkpoint.object_graph import TrackableView
from ..eager.variable_options import VariableAggregationV2, VariableSynchronization
from ..graph.nested_graphs import every_operation
from ..ops.control.functional import effects_of
from ..ops.effects import Writes
from .exported import Exported
from .view import variable_of

NOT_ONE: Final = (
    "The function '{function}' was traced for the parts of {name!r} that replicas have, and "
    "{does}, so the one variable that is saved cannot stand for them. Save a tf.function with an "
    "`input_signature`, or one that was called, instead of the concrete function: it is traced "
    "again for the one variable"
)


def has_parts_of_replicas(root: Any) -> bool:
    """Whether below an object there is a variable of which each replica has a part."""
    variables = (variable_of(value) for value in TrackableView(root).descendants())
    return any(not one.is_one_tensor for one in variables if one is not None)


def whole_of(tensor: Any) -> Any:
    """The variable of which replicas have parts, of a tensor that is the handle of a part; None
    of any other one.
    """
    reference = getattr(tensor, "variable", None)
    found: Any = None if reference is None else reference()
    return None if found is None or found.is_one_tensor else found


def handles_of_parts(variable: Any) -> Sequence[Any]:
    """The handles of all parts of a variable, where each replica has one."""
    return [] if variable.is_one_tensor else [part.handle for part in variable.all_parts]


def require_one_part(exported: Exported, tensor: Any) -> None:
    """Refuse a function that captured a part of a variable for which the whole cannot stand.

    Raises:
        ValueError: it adds up what the parts have, or changes variables, once for each part.
    """
    whole = whole_of(tensor)
    if whole is None or whole.all_parts[0].handle is tensor:
        return
    does = None
    if _changes_variables(exported):
        does = "changes variables"
    elif (whole.synchronization, whole.aggregation) == (
        VariableSynchronization.ON_READ,
        VariableAggregationV2.SUM,
    ):
        does = "adds them up"
    if does is not None:
        raise ValueError(NOT_ONE.format(function=exported.name, name=whole.name, does=does))


def _changes_variables(exported: Exported) -> bool:
    graph = exported.concrete.callee.graph
    return any(
        isinstance(effect, Writes)
        for operation in every_operation(graph)
        for effect in effects_of(operation.op, operation.attrs)
    )
