"""Whether a graph is one: names, order, and the types that inference gives again.

A graph that is not is shown whole, with the complaint under the operation.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..core.specs import Known, ListSpec, ObjectSpec, ResourceSpec, TensorSpec, ValueSpec
from ..ops.constant import Const
from ..ops.control.functional import Functional
from ..ops.op import specs_of
from .ir import Application, Graph, Value
from .text import print_graph


class VerificationError(AssertionError):
    """A graph that a pass or a builder made wrong."""


def verify(graph: Graph, verified: set[Graph] | None = None) -> None:
    """Check a graph and the graphs among its attributes, but for those `verified` before.

    Raises:
        VerificationError: the text of the graph, with what is wrong under the operation.
    """
    verified = set() if verified is None else verified
    defined = set(graph.inputs)
    if len(defined) != len(graph.inputs):
        raise VerificationError(f"an input occurs twice\n{print_graph(graph)}")
    known: dict[Value, Known] = {value: Known(value.spec) for value in defined}
    done: set[Application] = set()
    for operation in graph.operations:
        complaint = next(_complaints(operation, known, done, verified), None)
        if complaint is not None:
            raise VerificationError(
                f"{operation.name}: {complaint}\n{print_graph(graph, {operation: complaint})}"
            )
        done.add(operation)
        known.update(_known_results(operation))
    for value in graph.returns:
        if value not in known:
            raise VerificationError(f"returns '{value.name}', undefined\n{print_graph(graph)}")


def _complaints(
    operation: Application,
    known: dict[Value, Known],
    done: set[Application],
    verified: set[Graph],
) -> Iterator[str]:
    for operand in operation.operands:
        if operand not in known:
            yield f"'{operand.name}' is not defined before this operation"
    for result in operation.results:
        if result in known:
            yield f"'{result.name}' is defined before"
    for before in operation.after:
        if before not in done:
            yield f"must come after '{before.name}', which comes later or not at all"
    yield from _count_complaints(operation)
    yield from _type_complaints(operation, known)
    yield from _inner_complaints(operation, verified)


def _count_complaints(operation: Application) -> Iterator[str]:
    fields = operation.op.inputs
    if len(fields) != len(operation.counts):
        yield f"has {len(operation.counts)} input fields, but {operation.op.name} has {len(fields)}"
        return
    for field, count in zip(fields, operation.counts, strict=True):
        if field.listed != (count is not None):
            yield f"'{field.name}' is {'not ' if not field.listed else ''}a list"
    wanted = sum(1 if count is None else count for count in operation.counts)
    if wanted != len(operation.operands):
        yield f"has {len(operation.operands)} operands, but its fields take {wanted}"


def _type_complaints(operation: Application, known: dict[Value, Known]) -> Iterator[str]:
    try:
        operands = operation.grouped(tuple(known[one] for one in operation.operands))
        specs = specs_of(operation.op, operands, dict(operation.attrs))
    except Exception as error:  # whatever a rule raises is what is wrong
        yield f"{type(error).__name__}: {error}"
        return
    if len(specs) != len(operation.results):
        yield f"has {len(operation.results)} results, but inference gives {len(specs)}"
        return
    for spec, result in zip(specs, operation.results, strict=True):
        if not agree(spec, result.spec):
            yield f"'{result.name}' is {result.spec.short}, but inference gives {spec.short}"


def agree(inferred: ValueSpec, declared: ValueSpec) -> bool:
    """Whether one value can have both specs. A builder may know more of a shape than a rule."""
    if isinstance(inferred, ResourceSpec) and isinstance(declared, ResourceSpec):
        return agree(inferred.state, declared.state)
    if isinstance(inferred, ListSpec) and isinstance(declared, ListSpec):
        return agree(inferred.element, declared.element)
    if isinstance(inferred, ObjectSpec):
        return inferred.covers(declared) or (
            isinstance(declared, ObjectSpec) and declared.covers(inferred)
        )
    return (
        isinstance(inferred, TensorSpec)
        and isinstance(declared, TensorSpec)
        and inferred.dtype is declared.dtype
        and inferred.shape.is_compatible_with(declared.shape)
    )


def _inner_complaints(operation: Application, verified: set[Graph]) -> Iterator[str]:
    if not issubclass(operation.op, Functional):
        return
    for graph in operation.op.graphs_of(operation.attrs):
        assert isinstance(graph, Graph)
        if graph in verified:
            continue
        verified.add(graph)
        if graph.captures:
            yield f"'{graph.name}' has captures, which nothing fills"
        try:
            verify(graph, verified)
        except VerificationError as error:
            yield str(error)


def _known_results(operation: Application) -> Iterator[tuple[Value, Known]]:
    for result in operation.results:
        constant = operation.attrs["value"] if operation.op is Const else None
        yield result, Known(result.spec, constant)
