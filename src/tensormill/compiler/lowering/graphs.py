"""A graph becomes a program: every operation in turn, through its `lower` rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from ...core import dtypes
from ...core.specs import ListSpec, ResourceSpec, TensorSpec
from ...errors import InvalidArgumentError, OpError
from ...graph.failure import located
from ...graph.ir import Application, Graph, Value
from ...graph.passes.expansions import Expansions
from ...graph.passes.gathering import groups
from ...ops.constant import Const
from ...ops.families import Elementwise
from ...ops.lowering import NotStatic
from ..loops.ir import (
    FRAME,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Local,
    NativeCall,
    Program,
    Statement,
)
from ..loops.walk import every_part, every_statement, expressions
from ..lowered import (
    NO_MEMORY,
    ArrayInput,
    GivenOutput,
    Input,
    ListInput,
    Lowered,
    ObjectInput,
    OpaqueVariableInput,
    VariableInput,
    stays_in_python,
)
from . import callbacks, control_flow, lists, reductions, rules
from .arrays import Array, Size, same_size
from .blocks import Blocks
from .builder import Builder
from .callbacks import CallbackStep
from .control_flow import PreparedLoop
from .emitter import CHEAP
from .live_values import Environment
from .scalars import Scalar, size_expression
from .sizes.equal_sizes import require_patterns
from .sizes.kept_sizes import kept_sizes
from .values import NULL, Handle, List, Opaque

Made = TypeVar("Made")

DEPTH = Local("frame.depth", "i64")
KEPT = Local("frame.kept", "i64")  # the first two words are those of native/records.py: FRAME


class GraphLowering:
    """Lowers one graph and the graphs inside it."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self.builder = Builder(self.blocks, self.run)
        self.expansions = Expansions()
        self.steps: list[CallbackStep] = []
        self.objects: dict[Local, Any] = {}  # constants of strings, by the words they lie in
        self.frame: list[Buffer | Local] = [DEPTH, KEPT]
        self.inputs: list[Input] = []

    # ------------------------------------------------------------ the whole

    def lower(self, graph: Graph) -> Lowered:
        self.builder.kept_sizes = kept_sizes(graph, self.expansions)
        operands = tuple(self._input(k, value) for k, value in enumerate(graph.inputs))
        results = self.run(graph, operands)
        outputs = self._outputs(graph, results)
        counters = self.builder.slots.counters
        body = (*self.blocks.prologue, *self.blocks.open[-1])
        objects = self._used_objects(body)
        program = Program(graph.name, (*self.frame, *counters, *objects), body)
        written = self.written.union(*(step.touched for step in self.steps))
        inputs = tuple(
            one._replace(written=number in written)
            if isinstance(one, VariableInput | OpaqueVariableInput)
            else one
            for number, one in enumerate(self.inputs)
        )
        return Lowered(
            program, len(program.frame), inputs, outputs, tuple(counters.values()),
            tuple(self.blocks.failures), tuple(self.steps), tuple(objects.values()),
            self.builder.slots.objects,
        )  # fmt: skip

    written: frozenset[int] = frozenset()

    def _used_objects(self, body: Sequence[Statement]) -> dict[Local, Any]:
        """Those constants of strings that the program hands on: not the texts of checks."""
        if not self.objects:
            return {}
        named = {
            part
            for statement in every_statement(tuple(body))
            for expression in expressions(statement)
            for part in every_part(expression)
            if isinstance(part, Local)
        }
        return {pointer: value for pointer, value in self.objects.items() if pointer in named}

    def _input(self, number: int, value: Value) -> Any:
        word = len(self.frame)
        spec = value.spec
        if isinstance(spec, ListSpec) and not stays_in_python(spec):
            pointer = Local(self.blocks.fresh(value.name), "ptr")
            self.frame.append(pointer)
            self.inputs.append(ListInput(word, spec))
            return lists.copied(self.builder, List(pointer, spec))
        if not isinstance(spec, ResourceSpec):
            if stays_in_python(spec):
                return self._opaque_input(value, spec, word, number)
            assert isinstance(spec, TensorSpec)
            return self._buffer_input(number, value, spec, word)
        if stays_in_python(spec.state) or not spec.state.shape.is_fully_defined():
            return self._opaque_input(value, spec, word, number)
        return self._buffer_input(number, value, spec, word)

    def _opaque_input(self, value: Value, spec: Any, word: int, number: int) -> Any:
        """A string tensor, or a variable that native code does not look into."""
        if isinstance(spec, ResourceSpec):
            self.inputs.append(OpaqueVariableInput(spec, written=False))
            nowhere = Buffer(value.name, "i8", (), "state")
            return Handle(nowhere, spec.state.dtype, (), number, native=False)
        pointer = Local(self.blocks.fresh(value.name), "ptr")
        self.frame.append(pointer)
        self.inputs.append(ObjectInput(word, spec))
        return Opaque(pointer, spec)

    def _buffer_input(
        self, number: int, value: Value, spec: TensorSpec | ResourceSpec, word: int
    ) -> Any:
        tensor = spec.state if isinstance(spec, ResourceSpec) else spec
        assert tensor.shape.entries is not None
        stem = self.blocks.fresh(value.name)
        sizes: list[Size] = []
        unknown: list[Local] = []
        for axis, size in enumerate(tensor.shape.entries):
            if size is None:
                variable = Local(f"{stem}.{axis}", "i64")
                unknown.append(variable)
                self.blocks.input_sizes.add(variable)
                sizes.append(Scalar(variable, dtypes.int64))
            else:
                sizes.append(size)
        shape = tuple(size_expression(size) for size in sizes)
        space = "state" if isinstance(spec, ResourceSpec) else "input"
        buffer = Buffer(stem, tensor.dtype.kept_as, shape, space)
        self.frame.extend((buffer, *unknown))
        if isinstance(spec, ResourceSpec):
            self.inputs.append(VariableInput(word, spec, written=False))
            handle = Handle(buffer, tensor.dtype, tuple(sizes), number)
            self.builder.variables.append(handle)
            return handle
        self.inputs.append(ArrayInput(word, spec))
        return self.builder.stored(buffer, tensor.dtype, sizes)

    def _outputs(self, graph: Graph, results: Sequence[Any]) -> tuple[Any, ...]:
        """Hand every result to the caller; an untouched input is handed over by number."""
        positions = {id(value): k for k, value in enumerate(graph.inputs)}
        outputs: list[Any] = []
        for number, (value, result) in enumerate(zip(graph.returns, results, strict=True)):
            if (position := positions.get(id(value))) is not None:
                outputs.append(position)
                continue
            if (given := self._given(result)) is not None:
                outputs.append(given)
                continue
            self._output(number, result)
            outputs.append(_with_rank(value.spec, result))
        return tuple(outputs)

    def _given(self, result: Any) -> GivenOutput | None:
        """The callback's result that this is, unchanged."""
        if not isinstance(result, Array) or result.buffer is None or result.pending is not None:
            return None
        is_whole = result.buffer.shape == tuple(size_expression(size) for size in result.shape)
        return self.builder.given.get(result.buffer) if is_whole else None

    def _output(self, number: int, result: Any) -> None:
        if isinstance(result, (List, Opaque)):
            self.blocks.emit(NativeCall(f"tm_output_{number}", (FRAME, result.pointer)))
            return
        assert isinstance(result, Array)
        shape = tuple(self.blocks.let_size(size) for size in result.shape)
        data = self.blocks.variable("out", "ptr")
        arguments = (FRAME, *(size_expression(size) for size in shape))
        self.blocks.emit(NativeCall(f"tm_output_{number}", arguments, data))
        exists = Apply("ne", (data, NULL), "bool")
        self.blocks.emit(Check(exists, NO_MEMORY))
        target = self.blocks.pointed(result.dtype, shape, "out")
        self.blocks.emit(Bind(target, data))
        self.builder.fill(target, result)

    # ------------------------------------------------------------ one graph

    def run(self, graph: Graph, operands: tuple[Any, ...]) -> list[Any]:
        """Lower `graph` into the open block with these operands; its results."""
        uses = _count_uses(graph)
        given = zip(graph.inputs, operands, strict=True)
        environment = self.builder.live.enter({one: x for one, x in given if uses.get(one)})
        try:
            for group in groups(graph.operations):
                self._steps(group, environment, uses)
            return [environment[value] for value in graph.returns]
        finally:
            self.builder.live.leave()

    def _steps(
        self, group: Sequence[Application], environment: Environment, uses: dict[Value, int]
    ) -> None:
        """Lower an operation, or loops that need nothing of each other."""
        given = [self._operands(one, environment, uses) for one in group]
        if len(group) == 1:
            found = [self._at(group[0], partial(self._apply, group[0], given[0]))]
        else:
            found = self._together(group, given) or self._in_turn(group, given)
        if not self.blocks.path:
            self.builder.probe.changes.clear()  # nobody gives up what was stored
        for operation, operands, results in zip(group, given, found, strict=True):
            self._keep(operation, operands, results, environment, uses)

    def _in_turn(
        self, group: Sequence[Application], given: Sequence[tuple[Any, ...]]
    ) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for number, operation in enumerate(group):
            others = chain.from_iterable((*found, *given[number + 1 :]))
            with self.builder.needing(list(others)):
                found.append(self._at(operation, partial(self._apply, operation, given[number])))
        return found

    def _operands(
        self, operation: Application, environment: Environment, uses: dict[Value, int]
    ) -> tuple[Any, ...]:
        """Those of an operation, which nobody needs any more who is not to come."""
        operands = tuple([environment[value] for value in operation.operands])
        for value in operation.operands:
            uses[value] -= 1
            if not uses[value]:
                environment.drop(value)
        return operands

    def _at(self, operation: Application, lower: Callable[[], Made]) -> Made:
        """What `lower` makes for an operation."""
        self.blocks.path.append(operation)
        try:
            return lower()
        except OpError as error:
            raise located(error, operation) from error.__cause__
        finally:
            self.blocks.path.pop()

    def _together(
        self, group: Sequence[Application], given: Sequence[tuple[Any, ...]]
    ) -> list[tuple[Any, ...]] | None:
        """Loops that may run at the same time; None where one of them has to be a step in Python.

        Each is made ready while the others need what they get.
        """
        give_up = self._checkpoint()
        loops: list[PreparedLoop] = []
        try:
            for number, operation in enumerate(group):
                others = chain.from_iterable((*given[:number], *given[number + 1 :]))
                with self.builder.needing(list(others)):
                    loops.append(self._at(operation, partial(self._loop, operation, given[number])))
        except (NotStatic, InvalidArgumentError, ValueError, IndexError):
            give_up()  # each by itself is a step in Python, or says what is wrong with it
            return None
        control_flow.together(self.builder, loops)
        return [
            self._at(operation, partial(self._results_of, operation, loop))
            for operation, loop in zip(group, loops, strict=True)
        ]

    def _loop(self, operation: Application, operands: tuple[Any, ...]) -> PreparedLoop:
        condition, body = operation.attrs["cond"], operation.attrs["body"]
        return control_flow.prepared_loop(self.builder, condition, body, operands, counts=True)

    def _results_of(self, operation: Application, loop: PreparedLoop) -> tuple[Any, ...]:
        pairs = zip(operation.results, loop.results(self.builder), strict=True)
        return tuple([self._of_traced_rank(value.spec, result) for value, result in pairs])

    def _keep(
        self,
        operation: Application,
        operands: tuple[Any, ...],
        results: tuple[Any, ...],
        environment: Environment,
        uses: dict[Value, int],
    ) -> None:
        """Put results where the operations that come find them."""
        for value, result in zip(operation.results, results, strict=True):
            if isinstance(result, Array):
                reductions.finish_scatter(self.builder, result)
            if not uses.get(value):
                continue
            environment.put(value, result)
            if isinstance(result, Array):
                self.builder.settle(result, uses[value])
        self._store_spread(operation, operands, results)

    def _apply(self, operation: Application, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        if operation.op is Const:
            return (self._constant(operation.attrs),)
        if (why := rules.why_called_back(operation, operands)) is not None:
            return self._call_back(operation, operands, why)
        give_up = self._checkpoint()
        try:
            return self._native(operation, operands)
        except NotStatic as reason:
            why = str(reason)
        except (InvalidArgumentError, ValueError, IndexError) as error:
            # It fails if it runs, which it may not: then its kernel says so, in better words than
            # Python's of sizes that are not as many as a rule relies on.
            why = error.message if isinstance(error, OpError) else str(error)
        give_up()
        return self._call_back(operation, operands, why)

    def _checkpoint(self) -> Callable[[], None]:
        """What takes back everything that is lowered from now on."""
        counters = self.builder.slots.counters
        grows: tuple[list[Any], ...] = (
            self.blocks.open[-1], self.blocks.prologue, self.blocks.failures, self.steps,
        )  # fmt: skip
        lengths = [len(one) for one in grows]
        count, known = len(counters), self.blocks.facts.mark()
        stored = len(self.builder.probe.changes)

        def give_up() -> None:
            for one, length in zip(grows, lengths, strict=True):
                del one[length:]
            self.builder.probe.undo(stored)
            self.blocks.facts.forget(known)
            while len(counters) > count:
                counters.popitem()  # the last one that came

        return give_up

    def _native(self, operation: Application, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        op = operation.op
        application = op(*operation.grouped(operands), **operation.attrs)
        if op.lower is None:
            rules.read_demands(application, self.builder)
            require_patterns(self.builder, application)
            return tuple(self._expanded(self.expansions.of(operation), operands))
        if op.alike:
            require_patterns(self.builder, application)
        pairs = zip(operation.results, rules.asked(application, self.builder), strict=True)
        return tuple([self._of_traced_rank(value.spec, result) for value, result in pairs])

    def _expanded(self, expansion: Graph, operands: tuple[Any, ...]) -> list[Any]:
        """The operations that one operation is: what several of these read is settled, as it would
        be had the user written them.
        """
        uses = _count_uses(expansion)
        for value, operand in zip(expansion.inputs, operands, strict=True):
            if isinstance(operand, Array):
                self.builder.settle(operand, uses.get(value, 0))
        return self.run(expansion, operands)

    def _of_traced_rank(self, spec: Any, result: Any) -> Any:
        """The result, whose rank those that read it rely on.

        `x == y` is one bool where x and y do not broadcast, which tracing may not have known.
        """
        rank = spec.shape.rank if isinstance(spec, TensorSpec) else None
        if not isinstance(result, Array) or rank is None or rank == result.rank:
            return result
        message = "Incompatible shapes: the operands turned out not to broadcast"
        self.builder.check(False, InvalidArgumentError, message)
        (value,) = self.builder.elements(result)
        return self.builder.view((1,) * rank, result.dtype, lambda *_: value)

    def _call_back(
        self, operation: Application, operands: tuple[Any, ...], why: str
    ) -> tuple[Any, ...]:
        names = [field.name for field in operation.op.inputs]
        guard = operands[names.index(operation.op.guard)] if operation.op.guard else None
        if not isinstance(guard, Array):
            return callbacks.call_back(self.builder, self.steps, operation, operands, why)
        condition = self.blocks.let(guard[()])
        with self.blocks.block() as otherwise:
            inside = tuple(control_flow.inner_alias(operand) for operand in operands)
            callbacks.call_back(self.builder, self.steps, operation, inside, why)
        self.blocks.emit(Choice(condition.expression, (), tuple(otherwise)))
        return ()

    def _constant(self, attrs: Mapping[str, Any]) -> Any:
        value, dtype = attrs["value"], attrs["dtype"]
        if dtype.stays_in_python:
            pointer = Local(self.blocks.fresh("object"), "ptr")
            self.objects[pointer] = value
            return Opaque(pointer, TensorSpec(value.shape, dtype), value)
        return self.builder.literal_array(value, dtype)

    def _store_spread(
        self, operation: Application, operands: Sequence[Any], results: Sequence[Any]
    ) -> None:
        """Store an operand whose elements the (still computed) result would compute repeatedly."""
        if issubclass(operation.op, Elementwise):
            return  # broadcasting has seen to it
        pulled = [one for one in results if isinstance(one, Array) and one.element is not None]
        for operand in operands:
            if not isinstance(operand, Array) or operand.element is None or operand.cost <= CHEAP:
                continue
            if any(_more_elements(result, operand) for result in pulled):
                self.builder.force(operand)


def _with_rank(spec: Any, result: Any) -> Any:
    """What is returned: a call of a function that takes any rank does not say which it is."""
    if isinstance(result, Array) and spec.shape.entries is None:
        return TensorSpec((None,) * result.rank, result.dtype)
    return spec


def _more_elements(result: Array, operand: Array) -> bool:
    """Whether the result may have more elements: false where its axes are some of the operand's."""
    wide, narrow = result.static_count(), operand.static_count()
    if wide is not None and narrow is not None:
        return wide > narrow
    left = list(operand.shape)
    for size in result.shape:
        if same_size(size, 1):
            continue
        found = next((k for k, other in enumerate(left) if same_size(size, other)), None)
        if found is None:
            return True
        del left[found]
    return False


def _count_uses(graph: Graph) -> dict[Value, int]:
    uses: dict[Value, int] = {}
    for operation in graph.operations:
        for value in operation.operands:
            uses[value] = uses.get(value, 0) + 1
    for value in graph.returns:
        uses[value] = uses.get(value, 0) + 1
    return uses


def lower_graph(graph: Graph) -> Lowered:
    """The whole of `graph` as one program."""
    from .effects import written_operands

    lowering = GraphLowering()
    lowering.written = frozenset(written_operands(graph))
    try:
        return lowering.lower(graph)
    finally:
        del lowering.builder.run  # the two know each other: a cycle, with all that was lowered
