"""A graph as a function of JAX arrays: a walk over its operations, each by its `xla` rule.

What is known while the walk is made is worked out then, by the kernels that define operations: with
sizes that are known, `tf.shape(x)[0] * 2` is a number, which another operation may need as one.

    values      NumPy's arrays are constants, JAX's are not; `HeldVariable` stands for a variable,
                `HeldList` for a list, `HandedOn` for what no program looks into
    state       what the program changes on its way: variables, counters of random numbers, and a
                word that says which check has failed

Everything in `state` goes through branches and loops with their own results, for JAX's functions
have no other way to change something. After a failed check variables keep their values and loops
end; Python raises what the check means when the program is over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import jax
import jax.numpy as jnp
import numpy as np

from ..core import context
from ..core.dtypes import DType
from ..core.specs import Known, ListSpec, ResourceSpec, TensorSpec, ValueSpec
from ..errors import FailedPreconditionError, InvalidArgumentError, OpError
from ..graph.ir import Application, Graph
from ..graph.passes.expansions import Expansions
from ..ops.constant import Const
from ..ops.control.functional import Functional, effects_of
from ..ops.demand_readers import RUNNING
from ..ops.demands import Undecided
from ..ops.dispatch.divisions import Division
from ..ops.families import Elementwise
from ..ops.lowering import MOST_NUMBERS, NotStatic
from ..ops.op import Op, inferred, require_patterns
from . import control_flow
from .absences import absence_among, absence_of
from .demands import XlaSizes
from .language import Language, NotInXla, RuleFailed
from .lists import GUESSED, HeldList, ListKind, joined
from .program_state import ProgramState, WalkFacts, XlaFailure
from .shardings import is_divisible, mesh_of, sharding_of
from .values import HandedOn, HeldVariable, dtype_is_usual, held_constant, listed

# Constants of more elements are not worked out while a program is made.
FOLDED: Final = 1 << 12
# How JAX begins to say that a size is no constant. This text alone tells it: the error is a plain
# TypeError, without a cause or an attribute, as for all else that is wrong with types.
UNKNOWN_SHAPE: Final = "Shapes must be 1D sequences of concrete values"


class Walk(Language, ABC):
    """Reads a graph for operands of known sizes, within a trace of JAX's."""

    def __init__(
        self,
        facts: WalkFacts,
        state: ProgramState,
        expansions: Expansions,
        rooms: Mapping[Any, int],
    ) -> None:
        self.facts: Final = facts
        self.rooms: Final = rooms
        self.state = state
        self.expansions: Final = expansions
        self._path: list[Application] = []
        self._numbers: list[int] = []  # of these, in `facts.steps`
        self._depth = 0
        self._constants: dict[int, tuple[Any, Any]] = {}

    # ---- the walk
    def run(self, graph: Graph, operands: Sequence[Any]) -> list[Any]:
        """The results of a graph, here."""
        values = dict(zip(graph.inputs, operands, strict=True))
        self.walk(graph.operations, values)
        return [values[value] for value in graph.returns]

    @abstractmethod
    def walk(self, operations: Sequence[Application], values: dict[Any, Any]) -> None:
        """Add what operations give to `values`."""

    def _one_by_one(self, operations: Sequence[Application], values: dict[Any, Any]) -> None:
        """The same, one operation after the other."""
        for operation in operations:
            operands = tuple([values[value] for value in operation.operands])
            path = self.path_to(operation)
            self._path.extend(path)
            steps = self.facts.steps
            self._numbers.append(len(steps))
            steps.append(operation)
            try:
                # So compiled instructions know where they come from: `Instruction.step`.
                with jax.named_scope(f"{operation.name}#{len(steps) - 1}"):
                    results = self._step(operation, operands)
            except NotInXla as refusal:
                raise refusal.at(*path) from refusal.__cause__
            finally:
                del self._path[-len(path) :]
                self._numbers.pop()
            values.update(zip(operation.results, results, strict=True))

    @abstractmethod
    def path_to(self, operation: Application) -> tuple[Application, ...]:
        """The operation, and the calls before it that lead there from where the walk is."""

    def _step(self, operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
        if operation.op is Const:
            return (held_constant(operation.attrs),)
        try:
            return self._applied(operation, operands)
        except (RuleFailed, jax.errors.JaxRuntimeError):
            raise
        except NotStatic as reason:
            if operation.op.guard and not self._depth:
                return self._told_later(operation, operands)
            raise NotInXla(str(reason), getattr(reason, "operations", ())) from None
        except OpError as error:  # it fails if it runs, which it may not
            return self._failing(operation, error)
        except jax.errors.JAXTypeError as error:
            raise NotInXla(f"it depends on values ({first_line(error)})") from error
        except Undecided:
            raise NotInXla("its sizes depend on values") from None
        except TypeError as error:
            if str(error).startswith(UNKNOWN_SHAPE):
                raise NotInXla("its sizes depend on values") from None
            raise RuleFailed(f"TypeError: {first_line(error)}") from error
        except Exception as error:
            raise RuleFailed(f"{type(error).__name__}: {first_line(error)}") from error

    def _applied(self, operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
        op, attrs = operation.op, operation.attrs
        knowns = operation.grouped(tuple(map(self.known_of, operands)))
        if issubclass(op, Functional):
            specs = tuple(value.spec for value in operation.results)
        else:
            application = op(*knowns, **attrs)
            specs = inferred(application, RUNNING)
            if op.eager is None:
                require_patterns(application)
        if self._is_foldable(op, attrs, operands, specs):
            return folded(operation, operands)
        rule = rule_of(op)
        if rule is None and op.expand is not None:
            return self._expanded(operation, operands)
        if rule is None:
            raise NotInXla(absence_of(op))
        self._require_usual(operation, operands)
        fields = [self._field(operand) for operand in operands]
        application = op(*operation.grouped(tuple(fields)), **attrs)
        if op.demands is not None:
            application.found = application.demands(XlaSizes(self))
        try:
            results = rule(application, self)
        finally:
            for one in fields:
                self._constants.pop(id(one), None)
        return self._checked(operation, listed(results), specs)

    def _require_usual(self, operation: Application, operands: tuple[Any, ...]) -> None:
        """Refuse what rules cannot look into, but for what a check prints when it has failed; what
        graphs are called with goes through them.
        """
        if issubclass(operation.op, Functional):
            return
        pairs = zip(operation.operands, operands, strict=True)
        is_guard = bool(operation.op.guard)
        asked = [value for value, one in pairs if not (is_guard and isinstance(one, HandedOn))]
        reason = absence_among((*asked, *operation.results))
        if reason is not None:
            raise NotInXla(reason)

    def _is_foldable(
        self, op: type[Op], attrs: Any, operands: tuple[Any, ...], specs: Sequence[ValueSpec]
    ) -> bool:
        if op.eager is None or issubclass(op, Functional) or effects_of(op, attrs):
            return False
        if not all(isinstance(one, np.ndarray) and one.size <= FOLDED for one in operands):
            return False
        return all(
            isinstance(spec, TensorSpec)
            and dtype_is_usual(spec.dtype)
            and (spec.shape.num_elements() or 0) <= FOLDED
            for spec in specs
        )

    def _expanded(self, operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
        if operation.op.demands is not None:
            fields = operation.grouped(tuple(map(self._field, operands)))
            operation.op(*fields, **operation.attrs).demands(XlaSizes(self))
        return self.run(self.expansions.of(operation), operands)

    def _field(self, operand: Any) -> Any:
        """An operand as rules see it: constants are arrays of JAX's as well."""
        if not isinstance(operand, np.ndarray):
            return operand
        array = jnp.asarray(cast("np.ndarray[Any, Any]", operand))
        self._constants[id(array)] = (array, operand)
        return array

    def known(self, x: Any) -> np.ndarray[Any, Any] | None:
        if isinstance(x, (bool, int, float, np.ndarray, np.generic)):
            return np.asarray(x)
        if isinstance(x, HandedOn):
            return x.payload if isinstance(x.payload, np.ndarray) else None
        found = self._constants.get(id(x))
        return None if found is None else found[1]

    def known_of(self, operand: Any) -> Known:
        """What inference may know of an operand."""
        if isinstance(operand, HeldVariable):
            value = self.state.variables.get(operand.slot)
            shape = operand.spec.shape if value is None else value.shape
            state = TensorSpec(shape, operand.spec.dtype)
            return Known(ResourceSpec(state, operand.trainable))
        if isinstance(operand, HandedOn):
            payload = operand.payload
            if isinstance(payload, np.ndarray):
                dtype = self.dtype_of(payload)
                return Known(TensorSpec(payload.shape, dtype), payload)
            return Known(payload.spec)
        if isinstance(operand, np.ndarray):
            array = cast("np.ndarray[Any, Any]", operand)
            return Known(TensorSpec(array.shape, self.dtype_of(array)), array)
        if hasattr(operand, "spec"):
            return Known(operand.spec)
        return Known(TensorSpec(operand.shape, self.dtype_of(operand)))

    def _checked(
        self, operation: Application, results: Sequence[Any], specs: Sequence[ValueSpec]
    ) -> Sequence[Any]:
        """The results, which are what was promised: a number is never silently another one."""
        if len(results) != len(specs):
            raise RuleFailed(f"{len(results)} results, not {len(specs)}")
        return [self._as_promised(*pair) for pair in zip(results, specs, strict=True)]

    def _as_promised(self, result: Any, spec: ValueSpec) -> Any:
        if not isinstance(spec, TensorSpec):
            return result.of(spec) if isinstance(result, HeldList) else result
        if isinstance(result, (bool, int, float, complex, np.generic)):
            result = np.asarray(result)
        if isinstance(result, HandedOn):
            return result
        if getattr(result, "weak_type", False):
            result = jax.lax.convert_element_type(result, result.dtype)
        if (constant := self._constants.get(id(result))) is not None:
            result = constant[1]
        if result.dtype != spec.dtype.storage:
            raise RuleFailed(f"{result.dtype} instead of {spec.dtype.name}")
        if not spec.shape.is_compatible_with(result.shape):
            raise RuleFailed(f"shape {result.shape} instead of {spec.shape}")
        return result

    # ---- checks
    def check(self, condition: Any, error: type[Exception], message: str, *values: Any) -> None:
        """Fail, when the program is over, where `condition` is false now."""
        if condition is True:
            return
        operation = self._path[-1] if self._path else None
        failures = self.facts.failures
        failures.append(XlaFailure(error, message, operation))
        numbers = [jnp.asarray(value).astype(np.int64) for value in values]
        numbers += [jnp.zeros((), np.int64)] * (MOST_NUMBERS - len(numbers))
        failed = jnp.stack([jnp.full((), len(failures), np.int64), *numbers])
        status = self.state.status
        is_first = (status[0] == 0) & jnp.logical_not(condition)
        self.state.status = jnp.where(is_first, failed, status)
        self._checked_here()

    @abstractmethod
    def _checked_here(self) -> None:
        """Note that a check may have failed."""

    @abstractmethod
    def _meet(self) -> None:
        """Let all who do what is said know of failed checks."""

    def _told_later(self, operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
        """A check whose message shows what no program can print: where it fails, its kernel does it
        with the operands, which the program gives for that.
        """
        fields = operation.grouped(operands)
        names = [field.name for field in operation.op.inputs]
        condition = fields[names.index(operation.op.guard)]
        self.check(jnp.asarray(condition), InvalidArgumentError, "")
        self.facts.told_later[len(self.facts.failures)] = operands
        return ()

    def _failing(self, operation: Application, error: OpError) -> Sequence[Any]:
        """An operation that fails whenever it runs."""
        zeros = [self._anything(value.spec) for value in operation.results]
        text = error.message.replace("{", "{{").replace("}", "}}")
        self.check(False, type(error), text)
        return zeros

    def _anything(self, spec: ValueSpec) -> Any:
        """A value for what nobody will see."""
        if not isinstance(spec, TensorSpec) or not spec.shape.is_fully_defined():
            raise NotInXla("it fails when it runs")
        if not dtype_is_usual(spec.dtype):
            raise NotInXla("it fails when it runs")
        return jnp.zeros(spec.shape.entries or (), spec.dtype.storage)

    # ---- devices
    def divided(self, x: Any, division: Division) -> Any:
        mesh = mesh_of(division.names, division.sizes)
        if mesh is None or not is_divisible(x.shape, division):
            return x
        own = self.facts.mesh = self.facts.mesh or mesh
        if own.size != mesh.size:  # a program runs on one set of devices
            return x
        return jax.lax.with_sharding_constraint(x, sharding_of(division))

    # ---- state
    @abstractmethod
    def read(self, handle: Any) -> Any:
        """The value of a variable now."""

    @abstractmethod
    def write(self, handle: Any, value: Any) -> None:
        """Replace the value of a variable, unless a check has failed before."""

    def _value_of(self, handle: Any) -> Any:
        """What is in the slot of a variable."""
        if not isinstance(handle, HeldVariable):
            raise NotInXla("what it reads is no variable of numbers")
        value = self.state.variables.get(handle.slot)
        if value is None:
            raise FailedPreconditionError(
                f"Error while reading resource variable {handle.name}: it is uninitialized"
            )
        return value

    def _replace_value(self, handle: Any, value: Any) -> None:
        """Change what is in the slot of a variable."""
        if not isinstance(handle, HeldVariable):
            raise NotInXla("what it writes is no variable of numbers")
        before = self.state.variables.get(handle.slot)
        value = jnp.asarray(value)
        if value.dtype != handle.spec.dtype.storage:
            raise RuleFailed(f"writes {value.dtype} to {handle.spec.dtype.name}")
        if before is None or before.shape != value.shape:
            if self.facts.failures or self._depth:
                raise NotInXla("it gives a variable another shape")
        elif self.facts.failures:
            value = jnp.where(self.state.status[0] == 0, value, before)
        self.state.variables[handle.slot] = value

    def write_all(self, handles: Sequence[Any], values: Sequence[Any]) -> None:
        for handle, value in zip(handles, values, strict=True):
            self.write(handle, value)

    def counter(self, is_seeded: bool, advance: Any) -> Any:
        """A counter of random numbers, as it was before adding `advance`."""
        number = self.facts.counters.setdefault(tuple(self._path), len(self.facts.counters))
        if number == len(self.facts.seeded):
            self.facts.seeded.append(is_seeded)
            self.facts.advances.append(None)
        if number >= self.state.counters.shape[0]:
            raise RuleFailed("its random numbers have no place: its effects do not say `DRAWS`")
        before = self.state.counters[number]
        self.state.counters = self.state.counters.at[number].add(advance)
        is_known = isinstance(advance, int) and self._is_done_once()
        self.facts.advances[number] = advance if is_known else None
        self._drawn_here(number)
        return before

    def _is_done_once(self) -> bool:
        """Whether a run does what is here once: it is in no branch and in no loop."""
        return not self._depth

    @abstractmethod
    def _drawn_here(self, number: int) -> None:
        """Note who draws with a counter."""

    # ---- lists
    def list_reserve(self, count: Any, dtype: DType, element_shape: Any) -> HeldList:
        """A list of `count` elements that were not written yet."""
        known = (
            None
            if element_shape is None
            else [size if isinstance(size, int) and size >= 0 else None for size in element_shape]
        )
        spec, number = ListSpec(TensorSpec(known, dtype)), self.known(count)
        if number is not None:
            return HeldList(spec, None, int(number), int(number))
        made = self._growing(HeldList(spec, None, 0, 0), tuple(self._path))
        return self._lengthened(made, jnp.asarray(count).astype(np.int64))

    def list_from_array(self, x: Any) -> HeldList:
        spec = ListSpec(TensorSpec(x.shape[1:], self.dtype_of(x)))
        return HeldList(spec, jnp.asarray(x), x.shape[0], x.shape[0])

    def list_length(self, items: Any) -> Any:
        return self._list(items).length

    def list_get(self, items: Any, index: Any, dtype: DType, element_shape: Any) -> Any:
        return self._list(items).get(index, self._stated(element_shape))

    def list_set(self, items: Any, index: Any, value: Any, grow: bool) -> HeldList:
        before = self._list(items)
        if not grow:
            return before.set(index, value)
        known = self.known(index)
        if before.site is None and before.is_static and known is not None:
            length = max(before.length, int(known) + 1)
            room = before.room if length <= before.room else max(length, 2 * before.room)
            return before.with_room(room).replaced_length(length).set(index, value)
        if before.site is None:
            before = self._growing(before, tuple(self._path))
        length = jnp.maximum(before.length, jnp.asarray(index).astype(np.int64) + 1)
        return self._lengthened(before.set(index, value), length)

    def _lengthened(self, items: HeldList, length: Any) -> HeldList:
        """A list that grows, of another length; the program tells where it has too little room."""
        needed = jnp.where(length > items.room, length, 0)
        self.state.needed = self.state.needed.at[items.site].max(needed)
        return items.replaced_length(length)

    def list_add(self, items: Any, index: Any, value: Any) -> HeldList:
        before = self._list(items).shaped(value.shape)
        return before.set(index, before.get(index, value.shape) + value)

    def list_push(self, items: Any, value: Any) -> HeldList:
        return self.list_set(items, self._list(items).length, value, True)

    def list_pop(self, items: Any, dtype: DType, element_shape: Any) -> tuple[HeldList, Any]:
        before = self._list(items)
        last = before.length - 1
        if before.is_static:
            last = max(last, 0)  # a check has failed where there is none
        value = before.get(last, self._stated(element_shape))
        return before.set(last, jnp.zeros_like(value)).replaced_length(last), value

    def list_resize(self, items: Any, count: Any) -> HeldList:
        before, length = self._list(items), self.fixed(count, "the length of its list")
        if before.site is not None:
            raise NotInXla("it resizes a list that grows in a loop")
        grown = before.with_room(length)
        buffer = grown.buffer
        if buffer is not None and not length >= before.exact():
            buffer = buffer.at[length:].set(0)
        return grown.replaced(buffer, length)

    def list_stack(self, items: Any, dtype: DType, element_shape: Any) -> Any:
        own = self._list(items)
        return own.rows(self._stated(element_shape))[: own.exact()]

    def list_rows(self, items: Any, element_shape: Any) -> Any:
        """All elements of a list, and what it has room for besides."""
        return self._list(items).rows(self._stated(element_shape))

    def list_sum(self, one: Any, other: Any) -> HeldList:
        """A list of the sums of elements, of two that are as long."""
        a, b = self._list(one), self._list(other)
        if a.exact() != b.exact():
            raise NotInXla("its lists are not as long as each other")
        if a.buffer is None or b.buffer is None:
            return b if a.buffer is None else a
        room = max(a.room, b.room)
        a, b = a.with_room(room), b.with_room(room).shaped(a.buffer.shape[1:])
        return a.replaced(a.buffer + b.buffer, a.length)

    def list_concat(self, items: Any, dtype: DType, rank: int) -> tuple[Any, Any]:
        own = self._list(items)
        rows = own.rows([-1] * rank)[: own.exact()]
        lengths = np.full(rows.shape[0], rows.shape[1], np.int64)
        return rows.reshape(-1, *rows.shape[2:]), lengths

    def _list(self, items: Any) -> HeldList:
        if not isinstance(items, HeldList):
            raise NotInXla("its list stays in Python")
        return items

    def _stated(self, element_shape: Sequence[Any] | None) -> list[int]:
        """What is stated of the sizes of elements; -1 where nothing is known of one."""
        if element_shape is None:
            raise NotInXla("the rank of the elements of its list is not stated")
        return [size if isinstance(size, int) else -1 for size in element_shape]

    def remember(self, kinds: Sequence[ListKind | None]) -> bool:
        """What the lists of the loop at hand have to be before it: it is read again, and whenever
        one around it is. Whether anything is new.
        """
        path = tuple(self._path)
        before = self.facts.kinds.get(path, (None,) * len(kinds))
        found = [joined(*pair) for pair in zip(before, kinds, strict=True)]
        self.facts.kinds[path] = tuple(found)
        return self.facts.kinds[path] != before

    def fitted(self, values: Sequence[Any]) -> list[Any]:
        """What the loop at hand begins with, as it is remembered."""
        kinds = self.facts.kinds.get(tuple(self._path), [None] * len(values))
        return [
            one if kind is None else self._fitted(one, kind, number)
            for number, (one, kind) in enumerate(zip(values, kinds, strict=True))
        ]

    def _fitted(self, items: HeldList, kind: ListKind, number: int) -> HeldList:
        shaped = items if kind.shape is None else items.shaped(kind.shape)
        if not (kind.grows and shaped.is_static):
            return shaped.with_room(kind.room)
        return self._growing(shaped, (tuple(self._path), number))

    def _growing(self, items: HeldList, site: Any) -> HeldList:
        """A list that may become longer than there is room for, which the program tells then."""
        place = self.facts.sites.setdefault(site, len(self.facts.sites))
        if place >= self.state.needed.shape[0]:
            raise RuleFailed("its list has no place: none of its results is one")
        return items.growing(place, max(self.rooms.get(site, GUESSED), items.room))

    # ---- control flow
    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        """The results of a graph, here."""
        return tuple(self.run(graph, self._values(operands)))

    def branch(self, index: Any, graphs: Sequence[Any], operands: Sequence[Any]) -> tuple[Any, ...]:
        """The results of graphs[index]; an index out of range means the last one."""
        return control_flow.branch(self, index, graphs, self._values(operands))

    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        """The values after `body` has run on them as long as `condition` is true."""
        return control_flow.loop(self, condition, body, self._values(operands))

    def note_trip_count(self, count: int) -> None:
        """How often the loop at hand runs."""
        self.facts.turns[self._numbers[-1]] = count

    def _values(self, operands: Sequence[Any]) -> list[Any]:
        """Operands of a rule as values again."""
        found = [self._constants.get(id(one)) for one in operands]
        pairs = zip(operands, found, strict=True)
        return [one if constant is None else constant[1] for one, constant in pairs]

    @contextmanager
    def within(self, leaves: Any, slots: Sequence[int]) -> Iterator[None]:
        """Inside a branch or a loop, which has a state of its own."""
        outer = self.state
        self.state = ProgramState(dict(outer.variables), *leaves[1:])
        self.state.variables.update(zip(slots, leaves[0], strict=True))
        self._depth += 1
        try:
            yield
        finally:
            self.state = outer
            self._depth -= 1

    def leaves(self, slots: Sequence[int]) -> Any:
        """What a branch or a loop changes, as it is now: before it, and at its end."""
        self._meet()
        state = self.state
        missing = [slot for slot in slots if slot not in state.variables]
        if missing:
            raise NotInXla("it gives a variable its first value")
        values = tuple(state.variables[slot] for slot in slots)
        return values, state.counters, state.status, state.needed

    def take(self, leaves: Any, slots: Sequence[int]) -> None:
        """What a branch or a loop has changed."""
        values, self.state.counters, self.state.status, self.state.needed = leaves
        self.state.variables.update(zip(slots, values, strict=True))

    def is_unchanged(self, leaves: Any, slots: Sequence[int]) -> bool:
        """Whether nothing has changed since these were given to `within`."""
        pairs = zip(jax.tree.leaves(leaves), jax.tree.leaves(self.leaves(slots)), strict=True)
        return all(before is now for before, now in pairs)

    @staticmethod
    def is_well(leaves: Any) -> Any:
        """Whether no check has failed."""
        return leaves[2][0] == 0


def rule_of(op: type[Op]) -> Callable[..., Any] | None:
    """The rule of an operation that XLA reads."""
    is_shared = op.xla is Elementwise.xla
    return None if is_shared and op.scalar is None else op.xla


def folded(operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
    """What an operation gives for constants, by its kernel."""
    from ..eager.tensor import wrap
    from ..graph.evaluate import run

    with context.entered(context.base):
        tensors = run(operation, tuple([wrap(one) for one in operands]))
    return [one._array for one in tensors]


def first_line(error: Exception) -> str:
    """The beginning of an error's text."""
    return str(error).partition("\n")[0][:200]
