"""`convert_variables_to_constants_v2`: a traced function with constants for what it captured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Parameter, Signature
from typing import Any, cast

import numpy as np

from ..autodiff.functional import replay
from ..core import context
from ..core.specs import ResourceSpec, TensorSpec
from ..graph.ir import Graph
from ..graph.passes.freezing import Freezing
from ..graph.payload import payload_of, spec_of_payload
from ..ops.control.flow import Identity
from .concrete import ConcreteFunction
from .signature.parameters import Parameters
from .traces.trace_type import Encoder
from .traces.tracing import Request, trace


def convert_variables_to_constants_v2(
    func: ConcreteFunction, lower_control_flow: bool = True, aggressive_inlining: bool = False
) -> ConcreteFunction:
    """`func`, a ConcreteFunction, with the values that its variables have now for constants.

    The new function takes the tensors that `func` takes, by position or by the names that its
    `inputs` have, and returns a list. Functions that it calls are written where they are called.
    Branches and loops stay If and While, whatever `lower_control_flow` says: TensorFlow, too, runs
    a GraphDef with these.

    >>> v = tf.Variable([1.0, 2.0])
    >>> scaled = tf.function(lambda x: x * v).get_concrete_function(tf.TensorSpec([2]))
    >>> from tensormill.function.freezing import convert_variables_to_constants_v2
    >>> frozen = convert_variables_to_constants_v2(scaled)
    >>> v.assign([0.0, 0.0])
    >>> frozen(tf.constant([3.0, 4.0]))[0].numpy()
    array([3., 8.], dtype=float32)

    Raises:
        AttributeError: `func` is no ConcreteFunction.
        ValueError: it changes a variable, or needs more of it than its value.
        FailedPreconditionError: a variable has no value.
    """
    given: Any = func
    if not isinstance(given, ConcreteFunction):
        raise AttributeError(
            f"a ConcreteFunction is frozen, not a {type(given).__name__}: "
            "a tf.function has them from get_concrete_function"
        )
    called, outside = func.callee.graph, func.captured_inputs
    values = [_value_of(one) for one in outside]
    first = len(called.parameters)
    places = tuple(first + k for k, value in enumerate(values) if value is not None)
    frozen = _without_last_identities(Freezing().graph(called, places))

    def body(*parameters: Any) -> list[Any]:
        graph: Any = context.top().interpreter
        constants = [
            one if value is None else graph.constant(value, capture.name)
            for capture, one, value in zip(called.captures, outside, values, strict=True)
        ]
        return list(replay(frozen, [*parameters, *constants]))

    return _traced(body, called, func.inputs[:first])


def convert_variables_to_constants_v2_as_graph(
    func: ConcreteFunction, lower_control_flow: bool = True, aggressive_inlining: bool = False
) -> tuple[ConcreteFunction, Any]:
    """`convert_variables_to_constants_v2`, and the new function's graph as a GraphDef.

    >>> v = tf.Variable(2.0)
    >>> doubled = tf.function(lambda x: x * v).get_concrete_function(tf.TensorSpec([]))
    >>> from tensormill.function.freezing import convert_variables_to_constants_v2_as_graph
    >>> frozen, definition = convert_variables_to_constants_v2_as_graph(doubled)
    >>> "ReadVariableOp" in {node.op for node in definition.node}
    False

    Raises:
        AttributeError: `func` is no ConcreteFunction.
        ValueError: it changes a variable, or needs more of it than its value.
    """
    frozen = convert_variables_to_constants_v2(func, lower_control_flow, aggressive_inlining)
    return frozen, frozen.graph.as_graph_def()


def _without_last_identities(graph: Graph) -> Graph:
    """`graph` without what tracing adds to results, since it is traced again."""
    taken = {one for operation in graph.operations for one in operation.operands}
    last = {
        one.results[0]: one.operands[0]
        for one in graph.operations
        if one.op is Identity and one.results[0] in graph.returns and one.results[0] not in taken
    }
    kept = tuple(one for one in graph.operations if last.keys().isdisjoint(one.results))
    return replace(graph, operations=kept, returns=tuple(last.get(r, r) for r in graph.returns))


def _value_of(captured: Any) -> Any:
    """The array behind a captured tensor or variable; None where it is something else."""
    if captured.symbolic:
        return None
    payload = payload_of(captured)
    if isinstance(payload, np.ndarray):
        return cast("np.ndarray[Any, Any]", payload)
    return payload.read() if isinstance(spec_of_payload(payload), ResourceSpec) else None


def _traced(body: Callable[..., Any], called: Graph, inputs: Sequence[Any]) -> ConcreteFunction:
    specs = tuple(_spec_of(one) for one in inputs)
    names = [str(one.name).replace("/", "_") for one in specs]
    kind = Parameter.POSITIONAL_OR_KEYWORD
    parameters = Parameters(Signature([Parameter(name, kind) for name in names]))
    encoder = Encoder(allows_specs=True)
    key = tuple([encoder.encode(one) for one in specs])
    return trace(Request(body, called.name, parameters, specs, key, None, is_first=False)).concrete


def _spec_of(taken: Any) -> TensorSpec:
    if not isinstance(taken._known.spec, TensorSpec):
        raise ValueError(
            f"the function takes '{taken.op.name}', a {taken._known.spec.short}: one that takes "
            "tensors, and captures its variables, can have constants for them"
        )
    return TensorSpec(taken.shape, taken.dtype, taken.op.name)
