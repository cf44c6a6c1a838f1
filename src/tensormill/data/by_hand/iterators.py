"""Iterators in graphs that are built by hand: each session goes over the elements for itself."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Final, final
from weakref import WeakValueDictionary

from ...core import context, dtypes
from ...core.shapes import UNKNOWN
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...core.tree import flatten, map_structure, pack_sequence_as
from ...eager.tensor import wrap_handle
from ...errors import FailedPreconditionError, InvalidArgumentError
from ...graph.builder import current_graph
from ...graph.by_hand.default_graph import root_graph
from ...graph.lifting import depends_on_arguments, lift
from ...ops.bind import bind
from ...ops.effects import World, Writes
from ...ops.op import Attr, In, Op, Out
from ...ops.origins import Origin
from ...ops.random.seeds import get_seed
from ...ops.state.handles import OfSession
from .. import operations, structure
from ..iterator_handles import Running
from ..iterators import IteratorBase
from ..optional import Optional
from .element_facts import ElementFacts

_numbers = itertools.count()
# By the strings that `string_handle` gives; a session keeps what it stands for.
_known: Final[WeakValueDictionary[str, SessionIterator]] = WeakValueDictionary()


class SessionIterator:
    """What a session, or a function for its calls, has for an iterator: a pass, once begun."""

    def __init__(self, specs: tuple[ValueSpec, ...]) -> None:
        self.spec = ObjectSpec("iterator", specs)
        self.text: Final = f"iterator_{next(_numbers)}"
        self._running: Running | None = None
        _known[self.text] = self

    def begin(self, dataset: Any) -> None:
        """Go over a dataset, from its first element on."""
        self._running = Running(dataset)
        self.spec = ObjectSpec("iterator", tuple(map(_told, self.spec.elements, dataset.specs)))

    @property
    def running(self) -> Running:
        """The pass.

        Raises:
            FailedPreconditionError: it has not begun.
        """
        if self._running is None:
            raise FailedPreconditionError(
                "GetNext() failed because the iterator has not been initialized. Run the "
                "initializer operation for this iterator before getting the next element."
            )
        return self._running

    def next(self) -> Any:
        """The next element; None at the end."""
        return self.running.next()

    @property
    def blanks(self) -> Any:
        """An element for where there is none."""
        return self.running.blanks

    @property
    def storages(self) -> Any:
        """The variables that users' functions on the way may read or assign."""
        return () if self._running is None else self._running.storages


def _told(declared: ValueSpec, given: ValueSpec) -> ValueSpec:
    """What is known of a component: of handles what the dataset says."""
    return given if isinstance(declared, ObjectSpec) else declared


def _specs(op: Any) -> tuple[ValueSpec, ...]:
    pairs = zip(op.output_shapes, op.output_types, strict=True)
    return tuple(TensorSpec(shape, dtype) for shape, dtype in pairs)


# Those that functions name, by container and name, and those of places in graphs.
_SHARED: Final[dict[tuple[str, str], SessionIterator]] = {}


class IteratorV2(OfSession):
    """An iterator that somebody has to begin. Functions have that of a name, or their own."""

    handle = Out("resource")
    shared_name = Attr()
    container = Attr()
    output_types = Attr()
    output_shapes = Attr()
    _node = Attr("")
    effects = (World.PYTHON,)

    @staticmethod
    def attrs_of_name(name: str) -> dict[str, str]:
        return {"_node": f"{name}@{next(_numbers)}"}

    def infer(self) -> ObjectSpec:
        return ObjectSpec("iterator", _specs(self))

    def eager(self, np: Any) -> SessionIterator:
        key = self.container, self.shared_name or f"/{self._node}"
        return _SHARED.setdefault(key, SessionIterator(_specs(self)))

    def made(self, value_of: Callable[[str], Any]) -> SessionIterator:
        return SessionIterator(_specs(self))


class IteratorOfName(OfSession):
    """An iterator over the dataset of a name, from its first element on."""

    handle = Out("resource")
    dataset = Attr()
    output_types = Attr()
    output_shapes = Attr()
    origin = Origin.GRAPHS

    def infer(self) -> ObjectSpec:
        return ObjectSpec("iterator", _specs(self))

    def made(self, value_of: Callable[[str], Any]) -> SessionIterator:
        found = SessionIterator(_specs(self))
        found.begin(value_of(self.dataset))
        return found


class MakeIterator(Op):
    """Lets an iterator begin with a dataset."""

    dataset = In("variant")
    iterator = In("resource")
    effects = (Writes("iterator"), World.PYTHON)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.iterator.begin(self.dataset)
        return ()


class IteratorToStringHandle(Op):
    """A string that stands for an iterator of a session."""

    resource_handle = In("resource")
    string_handle = Out("str")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        found = np.empty((), object)
        found[()] = self.resource_handle.text.encode()
        return found


class IteratorFromStringHandleV2(Op):
    """The iterator for which a string stands."""

    string_handle = In("str")
    resource_handle = Out("resource")
    output_types = Attr(())
    output_shapes = Attr(())
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return ObjectSpec("iterator", _specs(self))

    def eager(self, np: Any) -> Any:
        text = self.string_handle[()].decode()
        found = _known.get(text)
        if found is None:
            raise InvalidArgumentError(f"there is no iterator '{text}': its session is closed")
        wanted = _specs(self)
        for one, given in zip(wanted, found.spec.elements, strict=False):
            if one.dtype is not given.dtype or not one.shape.is_compatible_with(given.shape):
                raise InvalidArgumentError(f"the iterator '{text}' gives {given}, not {one}")
        if len(wanted) != len(found.spec.elements):
            raise InvalidArgumentError(f"the iterator '{text}' gives other elements than {wanted}")
        return found


@final
class GraphIterator(IteratorBase, ElementFacts):
    """An iterator of a graph that is built by hand.

    Its elements are tensors, which each `session.run` gives the next values; `initializer` lets it
    begin, again if it has run before. At the end there is an OutOfRangeError.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     iterator = tf.compat.v1.data.make_initializable_iterator(tf.data.Dataset.range(3))
    ...     element = iterator.get_next()
    ...     session.run(iterator.initializer)
    ...     print([int(session.run(element)) for _ in range(3)])
    [0, 1, 2]
    """

    def __init__(self, iterator_resource: Any, initializer: Any, element_spec: Any) -> None:
        self._handle = iterator_resource
        self._element_spec = element_spec
        self._initializer = initializer

    @staticmethod
    def from_structure(
        output_types: Any,
        output_shapes: Any = None,
        shared_name: str | None = None,
        output_classes: Any = None,
    ) -> GraphIterator:
        """An iterator over any dataset of elements of these dtypes and shapes.

        What `make_initializer` gives lets it begin with one.

        Raises:
            TypeError: the shapes are no such nest as the dtypes are.
        """
        spec = _element_spec(output_types, output_shapes)
        return GraphIterator(_new_handle(spec, shared_name), None, spec)

    @staticmethod
    def from_string_handle(
        string_handle: Any,
        output_types: Any,
        output_shapes: Any = None,
        output_classes: Any = None,
    ) -> GraphIterator:
        """The iterator of which a string, which is fed as a rule, is the `string_handle`."""
        spec = _element_spec(output_types, output_shapes)
        return GraphIterator(
            bind(IteratorFromStringHandleV2, string_handle, **_described(spec)), None, spec
        )

    @property
    def initializer(self) -> Any:
        """The operation that lets it begin.

        Raises:
            ValueError: it begins by itself, or by what `make_initializer` gives.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """The operation that lets it begin with a dataset.

        Raises:
            TypeError: the dataset has elements of other dtypes or shapes.
            ValueError: it has elements of more or fewer components.
        """
        given, wanted = map(structure.flat_specs, (dataset.element_spec, self._element_spec))
        told = f"the iterator is over {self._element_spec}, the dataset of {dataset.element_spec}"
        if len(given) != len(wanted):
            raise ValueError(told)
        for one, other in zip(given, wanted, strict=True):
            if one.dtype is not other.dtype or not other.shape.is_compatible_with(one.shape):
                raise TypeError(told)
        return _begun(dataset, self._handle, name)

    def get_next(self, name: str | None = None) -> Any:
        """The next element, in each run.

        Raises:
            OutOfRangeError: (when it runs) there is none.
        """
        specs = structure.flat_specs(self._element_spec)
        return structure.packer(self._element_spec)(operations.get_next(self._handle, specs))

    def get_next_as_optional(self) -> Optional:
        """The next element as an Optional, which is empty at the end."""
        specs = structure.flat_specs(self._element_spec)
        has_value, *parts = operations.try_next(self._handle, True, specs)
        return Optional(has_value, parts, self._element_spec)

    def string_handle(self, name: str | None = None) -> Any:
        """A string that stands for the iterator that a session has."""
        return bind(IteratorToStringHandle, self._handle, name=name)

    @property
    def element_spec(self) -> Any:
        """What describes the elements: a nest of specs."""
        return self._element_spec


def _element_spec(output_types: Any, output_shapes: Any) -> Any:
    if output_shapes is None:
        return map_structure(lambda dtype: TensorSpec(UNKNOWN, dtype), output_types)
    types = flatten(output_types)
    shapes = _flat_shapes(output_types, output_shapes)
    specs = [TensorSpec(shape, dtype) for shape, dtype in zip(shapes, types, strict=True)]
    return pack_sequence_as(output_types, specs)


def _flat_shapes(types: Any, shapes: Any) -> list[Any]:
    """The shapes at the places of dtypes: a list is a shape where there is one dtype."""
    if isinstance(types, dict):
        return [one for key in sorted(types) for one in _flat_shapes(types[key], shapes[key])]
    if isinstance(types, (tuple, list)):
        pairs = zip(types, shapes, strict=True)
        return [one for pair in pairs for one in _flat_shapes(*pair)]
    return [shapes]


def _described(spec: Any) -> dict[str, Any]:
    specs = structure.flat_specs(spec)
    return {
        "output_types": tuple(one.dtype for one in specs),
        "output_shapes": tuple(one.shape for one in specs),
    }


def _new_handle(spec: Any, shared_name: str | None) -> Any:
    said = _described(spec)
    return bind(IteratorV2, shared_name=shared_name or "", container="", **said)


def _begun(dataset: Any, handle: Any, name: str | None = None) -> Any:
    bind(MakeIterator, dataset._handle, handle, name=name)  # pyright: ignore[reportPrivateUsage]
    graph: Any = root_graph() or current_graph()
    return graph.latest_operation


def _lasting_handle(spec: Any) -> Any:
    """The handle of an iterator that is there before a function runs, and after it."""
    return wrap_handle(SessionIterator(tuple(structure.flat_specs(spec))))


def _iterator_of_calls(dataset: Any) -> GraphIterator:
    handle, spec = _lasting_handle(dataset.element_spec), dataset.element_spec
    given = dataset._handle  # pyright: ignore[reportPrivateUsage]
    if depends_on_arguments(given):
        raise ValueError(
            "Cannot capture a placeholder: a one-shot iterator begins when the function is traced, "
            "but its dataset needs an argument of the function. Write `for element in dataset`, or "
            "use make_initializable_iterator, which begins in each call"
        )
    handle._array.begin((lift(given) if given.symbolic else given)._array)
    return GraphIterator(handle, None, spec)


def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> GraphIterator:
    """An iterator over a dataset, which begins when its `initializer` has run.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     most = tf.compat.v1.placeholder(tf.int64, [])
    ...     iterator = tf.compat.v1.data.make_initializable_iterator(tf.data.Dataset.range(most))
    ...     element = iterator.get_next()
    ...     session.run(iterator.initializer, {most: 2})
    ...     print(int(session.run(element)), int(session.run(element)))
    0 1

    In a function it begins whenever the function runs, as `initializer` is part of it.

    Raises:
        RuntimeError: operations run at once here.
    """
    if not context.building_graph():
        raise RuntimeError(
            "make_initializable_iterator is not supported when eager execution is enabled: write "
            "`for element in dataset`"
        )
    spec = dataset.element_spec
    if root_graph() is None:
        handle = _lasting_handle(spec)
    else:
        handle = _new_handle(spec, shared_name)
    return GraphIterator(handle, _begun(dataset, handle), spec)


def make_one_shot_iterator(dataset: Any) -> Any:
    """An iterator over a dataset, from its first element on, once; in each session by itself.

    dataset: it needs nothing that is fed. Where operations run at once it is `iter(dataset)`; in a
        function calls go on where the call before was, in each trace by itself.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     element = tf.compat.v1.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()
    ...     print(int(session.run(element)), int(session.run(element)))
    0 1

    Raises:
        InvalidArgumentError: (when it runs) the dataset needs a placeholder.
        ValueError: the dataset needs what only a call of the function knows.
    """
    if not context.building_graph():
        return iter(dataset)
    if root_graph() is None:
        return _iterator_of_calls(dataset)
    get_seed(None)  # as in TensorFlow, later operations without seeds have the next ones
    spec = dataset.element_spec
    name = dataset._handle.name  # pyright: ignore[reportPrivateUsage]
    return GraphIterator(bind(IteratorOfName, dataset=name, **_described(spec)), None, spec)
