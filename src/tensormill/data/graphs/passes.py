"""Passes over datasets, as operations: reductions, single elements, iterators."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.specs import ObjectSpec, ValueSpec
from ...errors import OutOfRangeError
from ...graph.payload import payload_of, wrap_payload
from ...ops.control.functional import GivenGraphs
from ...ops.control.optionals import SPEC, MaybeComponents
from ...ops.effects import World, Writes
from ...ops.op import Attr, In, Op, Out
from .. import reductions
from ..by_hand.iterators import SessionIterator
from ..option_messages import options_of
from .family import Deletion, elements_of, said, said_so_far
from .functions import Found, compiled, settled, specs_given, states_said


class ReduceDataset(GivenGraphs):
    """The last state of a function of a state and each element."""

    input_dataset = In("variant")
    initial_state = In("[Tstate]")
    other_arguments = In("[Targuments]")
    components = Out("[output_types]")
    f = Attr()
    output_types = Attr()
    output_shapes = Attr()
    use_inter_op_parallelism = Attr(True)
    metadata = Attr("")
    effects = (World.PYTHON,)
    differentiable = False
    graph_attrs = ("f",)

    @classmethod
    def graphs_for(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], found: Found
    ) -> dict[str, Any]:
        dataset, state, captured = operands
        specs = specs_given(dataset, captured)
        if specs is None:
            return {"f": found(attrs["f"], None)}
        start = states_said(attrs["output_shapes"], state)
        return {"f": settled(lambda given: found(attrs["f"], given), start, specs)}

    def infer(self) -> tuple[ValueSpec, ...]:
        parameters = self.f.parameters[: len(self.initial_state)]
        return tuple(one.spec for one in parameters)

    def eager(self, np: Any) -> tuple[Any, ...]:
        states = len(self.initial_state)
        function = compiled(self.f, len(self.other_arguments), "Dataset.reduce")
        operands = map(wrap_payload, (*self.initial_state, *self.other_arguments))
        found = reductions.reduced(self.input_dataset, *operands, states=states, function=function)
        return tuple(map(payload_of, found))


class DatasetCardinality(Op):
    """The number of elements."""

    input_dataset = In("variant")
    cardinality = Out("i64")
    cardinality_options = Attr("")
    effects = (World.PYTHON,)
    differentiable = False

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input_dataset.cardinality(), np.int64)


class GetOptions(Op):
    """The options of a dataset, as a message."""

    input_dataset = In("variant")
    serialized_options = Out("str")
    effects = (World.PYTHON,)
    differentiable = False

    def eager(self, np: Any) -> Any:
        found = np.empty((), object)
        found[()] = options_of(self.input_dataset)
        return found


class ComputeBatchSize(Op):
    """How many rows elements have, the last one excepted; -1 where that is not known."""

    input_dataset = In("variant")
    batch_size = Out("i64")
    effects = (World.PYTHON,)
    differentiable = False

    def eager(self, np: Any) -> Any:
        return np.asarray(self.input_dataset.batch_size(), np.int64)


class DatasetToSingleElement(Op):
    """The only element."""

    dataset = In("variant")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    metadata = Attr("")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return said(self, elements_of(self.dataset))

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(map(payload_of, reductions.single_element(self.dataset)))


class GetElementAtIndex(Op):
    """The element of a number."""

    dataset = In("variant")
    index = In("i64")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return said(self, elements_of(self.dataset))

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(map(payload_of, reductions.element_at(self.dataset, self.index)))


class AnonymousIteratorV3(Op):
    """An iterator that MakeIterator lets begin."""

    handle = Out("resource")
    output_types = Attr()
    output_shapes = Attr()
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("iterator", said_so_far(self))

    def eager(self, np: Any) -> SessionIterator:
        return SessionIterator(said_so_far(self))


class AnonymousIteratorV2(Op):
    """The same, and what TensorFlow deletes it by."""

    handle = Out("resource")
    deleter = Out("variant")
    output_types = Attr()
    output_shapes = Attr()
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return ObjectSpec("iterator", said_so_far(self)), SPEC

    def eager(self, np: Any) -> tuple[Any, ...]:
        return SessionIterator(said_so_far(self)), MaybeComponents()


class DeleteIterator(Deletion):
    """Nothing, for an iterator."""

    handle = In("resource")
    deleter = In("variant")


class IteratorGetNextSync(Op):
    """The next element.

    Raises:
        OutOfRangeError: there is none.
    """

    iterator = In("resource")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    effects = (Writes("iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return said(self, elements_of(self.iterator))

    def eager(self, np: Any) -> tuple[Any, ...]:
        element = self.iterator.next()
        if element is None:
            raise OutOfRangeError("End of sequence")
        return tuple(map(payload_of, element))


class IteratorGetNextAsOptional(Op):
    """The next element, if there is one."""

    iterator = In("resource")
    optional = Out("variant")
    output_types = Attr()
    output_shapes = Attr()
    effects = (Writes("iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> MaybeComponents:
        element = self.iterator.next()
        return MaybeComponents(None if element is None else [*map(payload_of, element)])
