"""`tf.while_loop`: a body repeated while a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..autodiff.functional import apply
from ..autodiff.graphs.computations import Looping
from ..core import context, dtypes, tree
from ..core.process.logs import logger
from ..core.process.named_tuples import NamedTuple
from ..core.process.tracebacks import shallow
from ..core.shapes import TensorShape, as_shape
from ..core.specs import TensorSpec, ValueSpec
from ..core.type_spec import TypeSpec, spec_of
from ..core.values import TensorLike
from ..errors import DTypeMismatchError, ShapeMismatchError
from ..graph import ir
from ..graph.builder import FuncGraph, Trace, share_operands
from ..ops.control.flow import stop_gradient
from ..ops.control.functional import Loop
from ..ops.conversion import as_tensor, static_int
from ..ops.math.arithmetic import add
from ..ops.math.comparison import less, logical_and
from .cond import as_predicate
from .loop_messages import name_of, other_dtype, other_shape, other_structure
from .structure import RunBranch, TracedBranch, graph_here, pack, run, tensors_of


@shallow
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: Any = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """`loop_vars = body(*loop_vars)` as long as `cond(*loop_vars)` is true; the last `loop_vars`.

    `loop_vars` is a list or tuple of tensors, TensorArrays and structures of them; the result is
    built like it. While tracing both functions are traced once. `shape_invariants`,
    built like `loop_vars`, gives shapes that hold in every iteration where those at the start do
    not. A body with a single variable may return it bare. `maximum_iterations` ends the loop early.

    `cond` returns a bool scalar. Dtypes stay what they are at the start.

    >>> k, total = tf.while_loop(lambda k, s: k < 4, lambda k, s: (k + 1, s + k), (0, 0))
    >>> int(k), int(total)
    (4, 6)

    Raises:
        TypeError: `cond` or `body` is not callable; a variable changes its dtype (traced).
        ValueError: there are no variables, or one is None; the body returns another structure; a
            variable changes its shape against its invariant, or starts against it (traced).
    """
    if isinstance(parallel_iterations, TensorLike):
        parallel_iterations = static_int(parallel_iterations)
    _check_arguments(cond, body, loop_vars, parallel_iterations)
    if not back_prop:
        logger.warning(
            "while_loop(back_prop=False) is an old form: apply tf.stop_gradient to the results, "
            "with tf.nest.map_structure where they are several"
        )
    if context.building_graph():
        if shape_invariants is None:
            loop_vars = _completed(loop_vars, body)
        loop = TracedLoop(loop_vars, shape_invariants, maximum_iterations)
        results = loop.stage(cond, body, parallel_iterations, name or "while")
    else:
        results = _run(cond, body, loop_vars, maximum_iterations)
    return results if back_prop else tree.map_structure(_stopped, results)


def _stopped(leaf: Any) -> Any:
    return stop_gradient(leaf) if isinstance(leaf, TensorLike) else leaf


def _check_arguments(cond: Any, body: Any, loop_vars: Any, parallel_iterations: Any) -> None:
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if not isinstance(parallel_iterations, int) or parallel_iterations < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")
    if not isinstance(loop_vars, (list, tuple)) or not tree.flatten(loop_vars):
        raise ValueError("'loop_vars' must be provided: a list or tuple of at least one variable.")
    if any(leaf is None for leaf in tree.flatten(loop_vars)):
        raise ValueError("None values not supported.")


def _as_variables(returned: Any, loop_vars: Any) -> Any:
    """What a body returned, built like `loop_vars`.

    Raises:
        ValueError: it is built otherwise.
    """
    if not isinstance(returned, (list, tuple)) or _is_the_only_one(returned, loop_vars):
        returned = [returned]
    if tree.difference(list(loop_vars), list(returned), check_types=False) is not None:
        raise ValueError(other_structure(loop_vars, returned))
    return tree.pack_sequence_as(loop_vars, tree.flatten(list(returned)))


def _is_the_only_one(returned: Any, loop_vars: Any) -> bool:
    """Whether a body returned its single variable, itself a structure, without a list around."""
    if len(loop_vars) != 1 or not tree.is_nested(loop_vars[0]):
        return False
    return tree.difference(list(loop_vars), list(returned), check_types=False) is not None


def _run(cond: Any, body: Any, loop_vars: Any, maximum_iterations: Any) -> Any:
    """The loop in Python, eagerly."""
    limit = None if maximum_iterations is None else int(maximum_iterations)
    done = 0
    while (limit is None or done < limit) and cond(*loop_vars):
        loop_vars = _as_variables(body(*loop_vars), loop_vars)
        done += 1
    return tree.map_structure(_as_value, loop_vars)


def _as_value(leaf: Any) -> Any:
    return leaf if isinstance(leaf, tree.Composite) else as_tensor(leaf)


class LateVariable(NamedTuple):
    """A variable of a loop that gets its value in each iteration, before anything reads it."""

    start: Any
    shape: TensorShape
    after: Any  # in the body


class TracedLoop:
    """A loop on its way into the graph.

    The operation's variables are, as TensorFlow has them: a counter, the maximal number of
    iterations (-1: any), those of the user, and what condition and body captured.
    """

    def __init__(self, loop_vars: Any, shape_invariants: Any, maximum_iterations: Any) -> None:
        graph = graph_here()
        self.loop_vars = _outline(loop_vars, shape_invariants)
        self.limited = maximum_iterations is not None
        self.maximum = maximum_iterations
        self.start = [graph.convert(one, None, None) for one in tensors_of(loop_vars)]
        shapes = _invariant_shapes(self.loop_vars, shape_invariants, self.start)
        self.specs = [_spec(*pair) for pair in zip(self.start, shapes, strict=True)]

    def stage(
        self,
        cond: Any,
        body: Any,
        parallel_iterations: int = 10,
        name: str = "while",
    ) -> Any:
        """The variables after the loop."""
        return self.stage_unless_more(cond, body, lambda: [], parallel_iterations, name)

    def stage_unless_more(
        self,
        cond: Any,
        body: Any,
        late: Callable[[], Sequence[LateVariable] | None],
        parallel_iterations: int = 10,
        name: str = "while",
    ) -> Any:
        """The variables after the loop, behind them those of which only the body has shown that
        there are more; None, and nothing in the graph, where it has to be traced anew.
        """
        condition = run(
            lambda *values: self._condition(cond, values), self._placeholders, f"{name}_cond", name
        )
        step = run(
            lambda *values: self._step(body, values), self._placeholders, f"{name}_body", name
        )
        more = late()
        if more is None:
            return None
        for one in more:
            self._add(one, condition, step)
        return self._applied(condition.finished(), step.finished(), parallel_iterations, name)

    def _add(self, late: LateVariable, condition: RunBranch, step: RunBranch) -> None:
        """Let the loop carry one more variable, which neither function reads."""
        start = graph_here().convert(late.start, None, None)
        self.loop_vars = [*self.loop_vars, start]
        self.start.append(start)
        self.specs.append(_spec(start, late.shape))
        for branch in (condition, step):
            branch.builder.placeholder(self.specs[-1], "loop_var")
        after = step.builder.convert(late.after, None, None)
        step.structure.append(after)
        step.made.append(after)

    def _applied(
        self, condition: TracedBranch, step: TracedBranch, parallel_iterations: int, name: str
    ) -> Any:
        self._check_step(step.leaves)
        graph = graph_here()
        counters = self._counters(graph.unique_name(name, mark_as_used=False))
        loop, captured = _closed(condition.trace, step.trace, parallel_iterations)
        operands = [*counters, *self.start, *captured]
        results = apply(loop, [graph.convert(one, None, None) for one in operands], name)
        return pack(self.loop_vars, results[2 : 2 + len(self.start)])

    def _counters(self, scope: str) -> list[Any]:
        graph = graph_here()
        counter = graph.constant(np.array(0, np.int32), f"{scope}/loop_counter/")
        if not self.limited or not isinstance(self.maximum, TensorLike):
            maximum = np.array(-1 if self.maximum is None else self.maximum, np.int32)
            return [counter, graph.constant(maximum, f"{scope}/maximum_iterations/")]
        from ..ops.math.cast import cast

        return [counter, cast(as_tensor(self.maximum), dtypes.int32)]

    def _placeholders(self, graph: FuncGraph) -> list[Any]:
        counters = [
            graph.placeholder(TensorSpec((), dtypes.int32), name)
            for name in ("loop_counter", "maximum_iterations")
        ]
        return [*counters, *(graph.placeholder(spec, "loop_var") for spec in self.specs)]

    def _condition(self, cond: Any, values: Sequence[Any]) -> Any:
        counter, maximum, *variables = values
        holds = as_predicate(
            cond(*pack(self.loop_vars, variables)), "the condition of tf.while_loop"
        )
        return logical_and(less(counter, maximum), holds) if self.limited else holds

    def _step(self, body: Any, values: Sequence[Any]) -> list[Any]:
        counter, maximum, *variables = values
        returned = body(*pack(self.loop_vars, variables))
        later = _as_variables(returned, self.loop_vars)
        _check_composites(self.loop_vars, later)
        leaves = tree.flatten(later, expand_composites=True)
        return [add(counter, 1), maximum, *leaves]

    def _check_step(self, leaves: Sequence[Any]) -> None:
        for number, (spec, leaf) in enumerate(zip(self.specs, leaves[2:], strict=True)):
            if leaf is None:
                name = name_of(self.loop_vars, number)
                raise ValueError(f"None values not supported: {name} is None after one iteration")
            self._check_variable(number, spec, leaf)

    def _check_variable(self, number: int, spec: ValueSpec, leaf: Any) -> None:
        if leaf.dtype is not spec.dtype:
            name = name_of(self.loop_vars, number)
            raise DTypeMismatchError(other_dtype(name, spec.dtype, leaf.dtype))
        if isinstance(spec, TensorSpec) and not leaf.shape.is_subtype_of(spec.shape):
            shapes = [one.shape for one in self.specs]
            raise ShapeMismatchError(other_shape(self.loop_vars, number, shapes, leaf.shape))


def _completed(loop_vars: Any, body: Callable[..., Any]) -> Any:
    """The variables, of which those that do not know yet what they hold (an empty Optional) are as
    `body` leaves them. It is traced once for that; what was traced is thrown away.
    """
    if all(leaf._is_complete for leaf in _composites(loop_vars)):
        return loop_vars
    loop = TracedLoop(loop_vars, None, None)
    scratch = FuncGraph("scratch", graph_here(), is_part=True)
    with scratch.as_default():
        values = [scratch.placeholder(spec, "loop_var") for spec in loop.specs]
        later = _as_variables(body(*pack(loop.loop_vars, values)), loop_vars)
    return tree.map_structure(_complete_leaf, loop_vars, later)


def _composites(structure: Any) -> list[tree.Composite]:
    return [leaf for leaf in tree.flatten(structure) if isinstance(leaf, tree.Composite)]


def _complete_leaf(leaf: Any, later: Any) -> Any:
    return leaf._completed_by(later) if isinstance(leaf, tree.Composite) else leaf


def _spec(tensor: Any, shape: TensorShape) -> ValueSpec:
    spec = tensor._known.spec
    return TensorSpec(shape, spec.dtype) if isinstance(spec, TensorSpec) else spec


def _outline(loop_vars: Any, invariants: Any) -> Any:
    """The variables, each composite replaced by the spec that it keeps."""
    given = loop_vars if invariants is None else invariants
    specs = tree.flatten_up_to(loop_vars, given, check_types=False)
    pairs = zip(tree.flatten(loop_vars), specs, strict=True)
    return tree.pack_sequence_as(loop_vars, [_kept_spec(*pair) for pair in pairs])


def _kept_spec(leaf: Any, invariant: Any) -> Any:
    """Raises ValueError where a composite starts with a spec against its invariant."""
    spec = spec_of(leaf) if isinstance(leaf, tree.Composite) else None
    if spec is None or not isinstance(invariant, (TypeSpec, tree.Composite)):
        return leaf if spec is None else spec
    wanted = spec_of(invariant)
    if not spec.is_subtype_of(wanted):
        raise ShapeMismatchError(
            f"The shape invariant {wanted!r} is not compatible with the initial value of the loop "
            f"variable, which is {spec!r}."
        )
    return wanted


def _check_composites(outline: Any, later: Any) -> None:
    for spec, leaf in zip(tree.flatten(outline), tree.flatten(later), strict=True):
        if not isinstance(spec, TypeSpec):
            continue
        found = spec_of(leaf)
        if found is None or not found.is_subtype_of(spec):
            raise ShapeMismatchError(
                f"A loop variable enters the loop as {spec!r}, but is {found or leaf!r} after one "
                "iteration. To allow it to vary across iterations, use the `shape_invariants` "
                "argument of tf.while_loop with a less specific spec."
            )


def _invariant_shapes(loop_vars: Any, invariants: Any, start: Sequence[Any]) -> list[TensorShape]:
    """The shape that each flat variable keeps.

    Raises:
        ValueError: the invariants are built otherwise than the variables, or a variable starts
            with a shape against its invariant.
    """
    given = loop_vars if invariants is None else invariants
    leaves = tree.flatten_up_to(loop_vars, given, check_types=False)
    shapes: list[TensorShape] = []
    for leaf, invariant in zip(tree.flatten(loop_vars), leaves, strict=True):
        if isinstance(leaf, TypeSpec):
            shapes += [part.shape for part in tree.flatten(leaf, expand_composites=True)]
        elif isinstance(leaf, tree.Composite):
            shapes += [part.shape for part in leaf._component_tensors() if part is not None]
        elif invariants is None:
            shapes.append(start[len(shapes)].shape)
        else:
            shapes.append(as_shape(getattr(invariant, "shape", invariant)))
    for number, (tensor, shape) in enumerate(zip(start, shapes, strict=True)):
        if not tensor.shape.is_subtype_of(shape):
            raise ShapeMismatchError(
                f"The shape invariant {shape} for {name_of(loop_vars, number)} is not compatible "
                f"with the initial shape {tensor.shape}: give None for sizes that may differ"
            )
    return shapes


def _closed(
    condition: Trace, step: Trace, parallel_iterations: int
) -> tuple[Looping, Sequence[Any]]:
    """A loop whose graphs capture nothing: what they captured are variables that stay the same."""
    (condition_graph, body), captured = share_operands([condition, step])
    kept = body.parameters[len(body.parameters) - len(captured) :]
    body = ir.Graph(
        body.name, body.parameters, (), body.operations, (*body.returns, *kept), body.attrs
    )
    return Looping(condition_graph, body, parallel_iterations), captured


def is_read(tensor: Any) -> bool:
    """Whether an operation needs a traced tensor, other than loops that only hand it on."""
    return any(
        one is tensor and _needs(operation.kind, operation.attrs, place)
        for operation in tensor.consumers()
        for place, one in enumerate(operation.inputs)
    )


def _needs(kind: Any, attrs: Mapping[str, Any], place: int) -> bool:
    if kind is None or not issubclass(kind, Loop):
        return True
    graphs: list[ir.Graph] = [attrs["cond"], attrs["body"]]
    return any(
        one is graph.inputs[place] and _needs(operation.op, operation.attrs, k)
        for graph in graphs
        for operation in graph.operations
        for k, one in enumerate(operation.operands)
    )
