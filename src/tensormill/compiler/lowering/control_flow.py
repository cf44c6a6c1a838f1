"""Branches and loops over graphs, as native ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, TypeAlias, final

from ...core import dtypes
from ...core.dtypes import DType
from ...core.process.named_tuples import NamedTuple
from ...core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec, common_spec
from ...errors import InternalError
from ...graph.ir import Graph
from ...ops.lowering import NotStatic
from ..loops.ir import (
    FRAME,
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Let,
    Literal,
    Local,
    NativeCall,
    Repeat,
    Set,
    Statement,
    Together,
)
from ..loops.sides import why_not_together
from ..lowered import stays_in_python
from . import lists, state
from .arrays import Array, Size, same_size
from .effects import calls_python, written_operands
from .emitter import Emitter
from .scalars import Scalar, as_size, literal, size_expression, size_scalar
from .sizes import trip_counts
from .values import NULL, Handle, List, Opaque

_TURNS: Final = 16  # of a loop of which nobody knows how often it goes round


def call(builder: Emitter, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
    """The graph's loops, here; a graph that is outlined is called as it is."""
    if not isinstance(graph, Graph):
        raise NotStatic(f"'{graph.name}' is too large to be copied wherever it is called")
    return tuple(builder.run(graph, tuple(operands)))


# ---------------------------------------------------------------- branches


def branch(
    builder: Emitter, index: Scalar, graphs: Sequence[Graph], operands: Sequence[Any]
) -> tuple[Any, ...]:
    """Native branches, of which `index` chooses one; the last where there is no such branch."""
    _prepare(builder, graphs, operands, operands)
    places = [
        place_for(builder, [graph.returns[k].spec for graph in graphs])
        for k in range(len(graphs[0].returns))
    ]
    last = len(graphs) - 1
    if last > 1:  # of two, the last one runs for a negative index as it is
        index = builder.scalars.where(index < 0, literal(last, index.dtype), index)
    index = builder.blocks.let(index, "branch")
    _choose(builder, index, list(enumerate(graphs)), operands, places)
    return tuple(place.value(builder) for place in places)


def _choose(
    builder: Emitter,
    index: Scalar,
    graphs: Sequence[tuple[int, Graph]],
    operands: Sequence[Any],
    places: Sequence[ResultPlace],
) -> None:
    """Halve the branches until one is left."""
    if len(graphs) == 1:
        _one_branch(builder, graphs[0][1], operands, places)
        return
    middle = len(graphs) // 2
    with builder.blocks.block() as then:
        _choose(builder, index, graphs[:middle], operands, places)
    with builder.blocks.block() as otherwise:
        _choose(builder, index, graphs[middle:], operands, places)
    first = graphs[middle][0]
    chosen = index == 0 if first == 1 else index < first
    builder.blocks.emit(Choice(chosen.expression, tuple(then), tuple(otherwise)))


def _one_branch(
    builder: Emitter, graph: Graph, operands: Sequence[Any], places: Sequence[ResultPlace]
) -> None:
    results = builder.run(graph, tuple(inner_alias(operand) for operand in operands))
    results = lists.distinct(builder, results)
    for place, result in zip(places, results, strict=True):
        place.put(builder, result)


def inner_alias(operand: Any) -> Any:
    """An operand as a nested block may use it: what it stores is not visible outside."""
    return operand.alias() if isinstance(operand, Array) else operand


def _prepare(
    builder: Emitter, graphs: Sequence[Graph], operands: Sequence[Any], changing: Sequence[Any]
) -> None:
    """Store what the blocks would otherwise compute again, and what they may overwrite: variables,
    and lists among `changing` that nobody needs as they are.
    """
    for operand in operands:
        if isinstance(operand, Array) and operand.element is not None and operand.cost:
            builder.force(operand)
    overwritten = [handle.buffer for handle in _assigned(builder, graphs, operands)]
    overwritten += [
        builder.memory_of(value.pointer)
        for value in changing
        if isinstance(value, List) and not builder.live.needs(value)
    ]
    for buffer in overwritten:
        state.protect(builder, buffer)
        _protect_operands(builder, operands, buffer)


def _assigned(builder: Emitter, graphs: Sequence[Graph], operands: Sequence[Any]) -> list[Handle]:
    """The native variables that blocks may assign: all, where one calls a user's function."""
    if any(calls_python(graph) for graph in graphs):
        return builder.variables
    written = [operands[number] for graph in graphs for number in written_operands(graph)]
    return [handle for handle in written if isinstance(handle, Handle)]


def _protect_operands(builder: Emitter, operands: Sequence[Any], buffer: Buffer) -> None:
    for operand in operands:
        if isinstance(operand, Array) and buffer in operand.reads:
            state.store_copy(builder, operand)


# ---------------------------------------------------------------- where results go


def place_for(
    builder: Emitter, specs: Sequence[Any], kept: Callable[[int], Size | None] = lambda axis: None
) -> ResultPlace:
    """A place for values of any of these specs; `kept` is the size of an axis that all have."""
    spec = common_spec(specs)
    if isinstance(spec, ResourceSpec):
        return HandlePlace()
    if stays_in_python(spec):
        return _opaque_place(builder, spec)
    if isinstance(spec, ListSpec):
        return ListPlace(builder.slots.pointer("list"), spec)
    assert isinstance(spec, TensorSpec)
    assert spec.shape.entries is not None
    shape, dtype = spec.shape.entries, spec.dtype
    if not shape:
        zero = literal(0, dtype)
        return ScalarPlace(builder.blocks.register("carried", dtype, zero), dtype)
    if spec.shape.is_fully_defined():
        sizes = tuple(size or 0 for size in shape)
        buffer = builder.blocks.temporary(dtype, sizes, "carried")
        builder.blocks.emit(Allocate(buffer))
        return StaticPlace(buffer, dtype, sizes)
    sizes = tuple(
        _size_place(builder, kept(axis)) if size is None else size
        for axis, size in enumerate(shape)
    )
    return DynamicPlace(builder.slots.pointer("data"), dtype, sizes)


def _opaque_place(builder: Emitter, spec: TensorSpec | ListSpec | ObjectSpec) -> OpaquePlace:
    slots = builder.slots
    slots.objects += 1
    return OpaquePlace(slots.pointer("object"), spec, slots.objects - 1)


def _size_place(builder: Emitter, kept: Size | None) -> Size | Local:
    if kept is not None:
        return kept
    return builder.blocks.register("size", dtypes.int64, literal(0, dtypes.int64))


@final
@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class HandlePlace:
    """Variables cannot be chosen at run time: every block must hand over the same one."""

    handle: Any = None

    def put(self, builder: Emitter, result: Any) -> None:
        if self.handle is not None and self.handle is not result:
            raise NotStatic("branches return different variables")
        self.handle = result

    def value(self, builder: Emitter) -> Any:
        return self.handle


@final
@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class ListPlace:
    """A native list: its pointer, and what is known of all lists that were put there."""

    pointer: Local
    spec: ListSpec
    known: List | None = None

    def put(self, builder: Emitter, result: Any) -> None:
        builder.blocks.emit(Set(self.pointer, result.pointer))
        self.known = result if self.known is None else lists.either(self.known, result)

    def value(self, builder: Emitter) -> Any:
        if self.known is None:
            return List(self.pointer, self.spec)
        return replace(self.known, pointer=self.pointer, spec=self.spec)


@final
@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class OpaquePlace:
    """A Python object: strings, a tensor of unknown rank, what a handle is of.

    Python learns what is there (`number`), so that it keeps that alive, and lets the rest go.
    """

    pointer: Local
    spec: TensorSpec | ListSpec | ObjectSpec
    number: int

    def put(self, builder: Emitter, result: Any) -> None:
        if not isinstance(result, Opaque):
            raise NotStatic("its rank is only known at run time")
        told = (FRAME, Literal(self.number, "i64"), result.pointer)
        builder.blocks.emit(Set(self.pointer, result.pointer), NativeCall("tm_carried", told))

    def value(self, builder: Emitter) -> Any:
        return Opaque(self.pointer, self.spec)


@final
@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class ScalarPlace:
    """A register."""

    register: Local
    dtype: DType

    def put(self, builder: Emitter, result: Any) -> None:
        builder.blocks.emit(Set(self.register, builder.blocks.named(result[()])))

    def value(self, builder: Emitter) -> Any:
        return builder.scalar(Scalar(self.register, self.dtype))


@final
@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class StaticPlace:
    """A buffer of a size known now."""

    buffer: Buffer
    dtype: DType
    shape: tuple[int, ...]

    def put(self, builder: Emitter, result: Any) -> None:
        if result.buffer is not self.buffer:
            builder.fill(self.buffer, result)

    def value(self, builder: Emitter) -> Any:
        return builder.stored(self.buffer, self.dtype, self.shape)


NOT_KEPT = "a loop was taken to keep a size of {}, and changed it to {}: a bug of this library"


@final
@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class DynamicPlace:
    """Memory that grows, and registers for the sizes that only run time knows.

    A scalar instead of a register: the size that all have. An int: the size that the trace knows.
    """

    pointer: Local
    dtype: DType
    sizes: tuple[Size | Local, ...]

    def put(self, builder: Emitter, result: Any) -> None:
        shape = tuple(builder.blocks.let_size(size) for size in result.shape)
        state.copy_to_slot(builder, self.pointer, result)
        for register, size in zip(self.sizes, shape, strict=True):
            if isinstance(register, Local):
                builder.blocks.emit(Set(register, size_expression(size)))
            elif not same_size(as_size(register), size):
                kept = size_scalar(register)
                builder.check(kept == size, InternalError, NOT_KEPT, kept, size)

    def value(self, builder: Emitter) -> Any:
        sizes: tuple[Size, ...] = tuple(
            builder.blocks.let(Scalar(size, dtypes.int64), "n")
            if isinstance(size, Local) else as_size(size)
            for size in self.sizes
        )  # fmt: skip
        buffer = builder.blocks.pointed(self.dtype, sizes, "carried")
        builder.blocks.emit(Bind(buffer, self.pointer))
        return builder.stored(buffer, self.dtype, sizes)


# Where a value that several blocks produce is kept: `put` there, its `value` is what came last.
ResultPlace: TypeAlias = (
    HandlePlace | ListPlace | OpaquePlace | ScalarPlace | StaticPlace | DynamicPlace
)


# ---------------------------------------------------------------- loops


def loop(
    builder: Emitter, condition: Graph, body: Graph, operands: Sequence[Any]
) -> tuple[Any, ...]:
    """A native loop; what it carries stays in registers, buffers in place, or native lists.

    Sizes that stay the same (sizes/kept_sizes.py) are those from before the loop: then much is
    known to be equal, and the loops inside are simple.
    """
    made = prepared_loop(builder, condition, body, operands)
    builder.blocks.emit(*made.statements)
    return made.results(builder)


@final
class PreparedLoop(NamedTuple):
    """The loop, for which all is ready: what it carries has its places, `most_turns` are known or
    not. Results are read behind it.
    """

    statements: tuple[Statement, ...]
    operands: Sequence[Any]
    places: Sequence[ResultPlace | None]
    most_turns: Scalar | None

    def results(self, builder: Emitter) -> tuple[Any, ...]:
        return tuple(
            operand if place is None else place.value(builder)
            for place, operand in zip(self.places, self.operands, strict=True)
        )


def prepared_loop(
    builder: Emitter, condition: Graph, body: Graph, operands: Sequence[Any], counts: bool = False
) -> PreparedLoop:
    """Emit what comes before a loop; `counts`: whether its turns are to be known."""
    replaced = [
        operand
        for value, result, operand in zip(body.parameters, body.returns, operands, strict=True)
        if result is not value
    ]
    _prepare(builder, (condition, body), operands, replaced)
    places: list[ResultPlace | None] = [
        None if result is value else _carrying(builder, k, value.spec, operand)
        for k, (value, result, operand) in enumerate(
            zip(body.parameters, body.returns, operands, strict=True)
        )
    ]
    _put(builder, _distinct(builder, operands, places), places)
    growing = _growing(body, places)
    most = trip_counts.most_trips(condition, body, operands) if counts or growing else None
    if most is not None:
        most = builder.blocks.let(most, "turns")
        _make_room(builder, growing, most)

    def carried() -> tuple[Any, ...]:
        return tuple(
            inner_alias(operand) if place is None else place.value(builder)
            for place, operand in zip(places, operands, strict=True)
        )

    with builder.blocks.block() as before:
        values = carried()
        with builder.needing(values):  # the body needs them as they are
            (answer,) = builder.run(condition, values)
        if isinstance(answer, Opaque):  # of a graph that was not traced here
            raise NotStatic("the rank of a loop's condition is not known")
        going_on = builder.blocks.let(answer[()], "go")
    with builder.blocks.block() as statements:
        _one_iteration(builder, body, carried(), places)
    whole = _whole_loop(builder, before, going_on, statements, places)
    return PreparedLoop(whole, operands, places, most)


def together(builder: Emitter, loops: Sequence[PreparedLoop]) -> None:
    """Emit loops of which none needs what another one does."""
    sides = tuple([one.statements for one in loops])
    if why_not_together(sides):
        builder.blocks.emit(*chain.from_iterable(sides))
        return
    turns = [_TURNS if one.most_turns is None else one.most_turns for one in loops]
    builder.blocks.emit(Together(sides, tuple(map(size_expression, turns))))


def _growing(body: Graph, places: Sequence[ResultPlace | None]) -> dict[ListPlace, int]:
    """How much longer each turn makes the lists that grow in a loop."""
    return {
        place: count
        for k, place in enumerate(places)
        if isinstance(place, ListPlace) and (count := trip_counts.pushed(body, k))
    }


def _make_room(builder: Emitter, growing: dict[ListPlace, int], most: Scalar) -> None:
    """Say to lists that grow in a loop how many elements will come."""
    for place, count in growing.items():
        arguments = (FRAME, place.pointer, (most * count).expression)
        builder.blocks.emit(NativeCall("tm_list_expect", arguments))


def _carrying(builder: Emitter, number: int, spec: Any, operand: Any) -> ResultPlace:
    """A place for what a loop carries as `number`, and starts with `operand`."""
    keeps = builder.kept_sizes.of(builder.blocks.path)

    def kept(axis: int) -> Size | None:
        size = operand.shape[axis]
        if not (builder.blocks.is_lasting(size) and keeps(number, axis)):
            return None
        return size_scalar(size)

    place = place_for(builder, [spec], kept)
    if isinstance(place, ListPlace) and not keeps(number, None):
        place.known = List(place.pointer, place.spec)
    return place


def _whole_loop(
    builder: Emitter,
    before: list[Statement],
    going_on: Scalar,
    body: list[Statement],
    places: Sequence[ResultPlace | None],
) -> tuple[Statement, ...]:
    """The loop itself; lists that an iteration leaves behind are given back after it."""
    if not lists.makes_lists([*before, *body]):
        return (Repeat(tuple(before), going_on.expression, tuple(body)),)
    mark = builder.blocks.variable("mark", "ptr")
    needed = [place.pointer for place in places if isinstance(place, ListPlace)]
    body += [NativeCall("tm_list_need", (FRAME, pointer)) for pointer in needed]
    body.append(NativeCall("tm_list_sweep", (FRAME, mark)))
    return (
        NativeCall("tm_list_begin", (FRAME,), mark),
        Check(Apply("ne", (mark, NULL), "bool"), state.NO_MEMORY),
        Repeat(tuple(before), going_on.expression, tuple(body)),
        NativeCall("tm_list_end", (FRAME, mark)),
    )


def _one_iteration(
    builder: Emitter, body: Graph, operands: tuple[Any, ...], places: Sequence[ResultPlace | None]
) -> None:
    """All new values are computed before any old one is replaced."""
    results = _distinct(builder, builder.run(body, operands), places)
    kept = {id(operand.buffer) for operand in operands if isinstance(operand, Array)}
    for k, place in enumerate(places):
        if place is not None and isinstance(results[k], Array):
            results[k] = _settled(builder, results[k], operands[k], kept)
    _put(builder, _held(builder, results, places), places)


def _distinct(
    builder: Emitter, values: Sequence[Any], places: Sequence[ResultPlace | None]
) -> list[Any]:
    """The values, where lists that are to be replaced are nobody else's.

    What stays the same is not replaced: a list of it that is needed later need not be copied.
    """
    changing = [value for value, place in zip(values, places, strict=True) if place is not None]
    staying = [value for value, place in zip(values, places, strict=True) if place is None]
    given = iter(lists.distinct(builder, changing, staying))
    return [
        value if place is None else next(given) for value, place in zip(values, places, strict=True)
    ]


def _put(builder: Emitter, values: Sequence[Any], places: Sequence[ResultPlace | None]) -> None:
    """Replace what changes."""
    for place, value in zip(places, values, strict=True):
        if place is not None:
            place.put(builder, value)


def _held(
    builder: Emitter, results: Sequence[Any], places: Sequence[ResultPlace | None]
) -> list[Any]:
    """The results, with pointers of their own where they are what another place holds now.

    Two lists, or two strings, may change places.
    """
    pointing = (ListPlace, OpaquePlace)
    taken = {id(place.pointer) for place in places if isinstance(place, pointing)}
    held: list[Any] = []
    for result, place in zip(results, places, strict=True):
        if isinstance(place, pointing) and isinstance(result, (List, Opaque)):
            if id(result.pointer) in taken and result.pointer is not place.pointer:
                variable = builder.blocks.variable("held", "ptr")
                builder.blocks.emit(Let(variable, result.pointer))
                result = replace(result, pointer=variable)
        held.append(result)
    return held


def _settled(builder: Emitter, result: Array, old: Any, kept: set[int]) -> Array:
    """A result that no longer depends on what the iteration is about to overwrite."""
    if not result.rank:
        return builder.scalar(result[()])
    if result is old or (
        isinstance(old, Array) and result.buffer is not None and result.buffer is old.buffer
    ):
        return result
    result = result.alias()
    if result.element is not None or result.registers is not None:
        builder.force(result)
    elif id(result.buffer) in kept:
        state.store_copy(builder, result)
    return result
