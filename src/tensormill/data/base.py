"""What datasets have in common, however they are made: elements, options, iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Self

from ..core import context, dtypes, tree
from ..core.process.tracebacks import hide_frames, shallow
from ..core.specs import TensorSpec
from ..eager.tensor import wrap_handle
from ..errors import InvalidArgumentError
from ..ops.bind import bind
from . import iterators, operations, reductions, structure
from .nodes.node import INFINITE, UNKNOWN, Node
from .options import Options


@cache
def class_of_label(base: Any, label: str) -> Any:
    """The class of the datasets that one method makes: `_BatchDataset`."""
    facts = {"__module__": base.__module__, "__doc__": base.__doc__, "is_made_by_methods": True}
    return type(label, (base,), facts)


class DatasetBase(tree.Composite):
    """What a dataset is, and how it is used; `DatasetV2` says how it is made.

    `node_or_handle`: what runs, or the tensor that stands for a dataset in a graph. `inputs`: the
    datasets that it is made of.
    """

    is_called_by_label: ClassVar[bool] = False
    is_made_by_methods: ClassVar[bool] = False

    def __new__(cls, *given: Any, **_named: Any) -> Self:
        """A dataset whose class has the name of what made it, `_BatchDataset`."""
        if "is_called_by_label" in cls.__dict__ and len(given) > 2:
            return super().__new__(class_of_label(cls, given[2]))
        if cls.is_made_by_methods and given:
            raise NotImplementedError(
                f"{cls.__name__} is not made by its class here: use the method of tf.data.Dataset"
            )
        return super().__new__(cls)

    def __init__(
        self,
        node_or_handle: Any,
        element_spec: Any,
        label: str = "Dataset",
        options: Options | None = None,
        inputs: Sequence[Any] = (),
    ) -> None:
        is_node = isinstance(node_or_handle, Node)
        self._handle = wrap_handle(node_or_handle) if is_node else node_or_handle
        self._element_spec = element_spec
        self._label = label
        self._datasets = tuple(inputs)
        self._options = options
        self._iterator_spec = iterators.IteratorSpec(element_spec)

    def _take_over(self, made: DatasetBase) -> None:
        """Be what another dataset is: what constructors of special datasets do."""
        spec, label = made._element_spec, made._label
        DatasetBase.__init__(self, made._handle, spec, label, made._options, made._datasets)

    # ---- what it is
    def _inputs(self) -> list[Any]:
        """The datasets that it is made of: libraries walk over them."""
        return list(self._datasets)

    @property
    def element_spec(self) -> Any:
        """What describes the elements: a structure of specs.

        >>> tf.data.Dataset.range(3).element_spec
        TensorSpec(shape=(), dtype=tf.int64, name=None)
        """
        return self._element_spec

    @property
    def handle(self) -> Any:
        """The tensor that stands for this dataset in graphs."""
        return self._handle

    _variant_tensor = handle

    def _as_serialized_graph(
        self,
        allow_stateful: Any = None,
        strip_device_assignment: Any = None,
        external_state_policy: Any = None,
    ) -> Any:
        """The GraphDef that makes this dataset, as a tensor of bytes: Keras 2 looks into it.

        external_state_policy: one whose value is 2 refuses functions that draw numbers.
        """
        # It needs all that SavedModels are written with.
        messages = import_module("tensormill.data_service.graph_messages")
        policy = getattr(external_state_policy, "value", external_state_policy or 0)
        return bind(messages.DatasetToGraphV2, self.handle, external_state_policy=policy)

    @property
    def node(self) -> Node:
        """What runs, of a dataset that was not made while a function is traced."""
        return self._handle._array

    def _component_tensors(self) -> tuple[Any, ...]:
        """What carries the dataset: one scalar of dtype variant.

        >>> [handle.dtype for handle in tf.data.Dataset.range(3)._component_tensors()]
        [tf.variant]
        """
        return (self._handle,)

    def options(self) -> Options:
        """The options of this dataset and of those that it is made of.

        >>> tf.data.Dataset.range(3).options().deterministic is None
        True
        """
        found = Options()
        for one in self._datasets:
            found = found.merge(one.options())
        return found if self._options is None else found.merge(self._options)

    def cardinality(self) -> Any:
        """The number of elements, `tf.data.INFINITE_CARDINALITY` or `UNKNOWN_CARDINALITY`: a
        scalar int64 tensor.

        >>> tf.data.Dataset.range(7).batch(2).cardinality().numpy()
        np.int64(4)
        """
        (count,) = self._use("cardinality", reductions.cardinality, (), reductions.COUNT)
        return count

    def __len__(self) -> int:
        """The number of elements.

        Raises:
            TypeError: it is infinite, or not known.
        """
        if not self._is_eager():
            raise TypeError(
                "`tf.data.Dataset` only supports `len` in eager mode. Use `dataset.cardinality()`"
            )
        count = self.node.cardinality()
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    def __bool__(self) -> bool:
        return True

    def _is_eager(self) -> bool:
        return not self._handle.symbolic and not context.building_graph()

    # ---- iterating
    def __iter__(self) -> iterators.OwnedIterator:
        """A new iterator: `tf.data.Iterator`."""
        spec = self._iterator_spec
        if self._is_eager():
            if self._label == "_VariantDataset":
                _demand_elements(self.node.specs, structure.flat_specs(self._element_spec))
            return iterators.start(self.node, spec)
        handle = operations.bind(operations.IterateDataset, self._handle)
        return iterators.OwnedIterator(handle, spec)

    def as_numpy_iterator(self) -> iterators.NumpyIterator:
        """An iterator whose elements hold NumPy arrays and scalars.

        >>> list(tf.data.Dataset.range(3).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(2)]

        Raises:
            RuntimeError: a function is being traced.
            TypeError: elements hold datasets or other objects that are no arrays.
        """
        if not self._is_eager():
            raise RuntimeError("`tf.data.Dataset.as_numpy_iterator()` is only supported eagerly.")
        return iterators.NumpyIterator(self)

    @shallow
    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any], name: Any = None) -> Any:
        """The last state of `state = reduce_func(state, element)`, element by element.

        >>> tf.data.Dataset.range(5).reduce(np.int64(0), lambda total, n: total + n).numpy()
        np.int64(10)

        Raises:
            TypeError: the new state is built otherwise, or has other dtypes.
        """
        return reductions.reduce(self, initial_state, reduce_func)

    def fingerprint(self) -> Any:
        """A number that says which elements there are, an uint64 scalar: alike for datasets that
        are made alike, in any process.

        It is made of tensors, options and the graphs of functions, and says nothing of what files,
        variables and Python generators give. It is another number than TensorFlow's.

        >>> double = tf.data.Dataset.range(3).map(lambda n: n * 2).fingerprint()
        >>> bool(double == tf.data.Dataset.range(3).map(lambda number: number * 2).fingerprint())
        True
        >>> bool(double == tf.data.Dataset.range(4).map(lambda n: n * 2).fingerprint())
        False
        """
        from .snapshots.fingerprints import fingerprint_tensors

        spec = TensorSpec((), dtypes.uint64)
        (found,) = self._use("fingerprint", fingerprint_tensors, (), (spec,))
        return found

    def get_single_element(self, name: str | None = None) -> Any:
        """The only element.

        >>> tf.data.Dataset.range(7).batch(7).get_single_element().shape
        TensorShape([7])

        Raises:
            InvalidArgumentError: there is none, or there are several.
        """
        specs = structure.flat_specs(self._element_spec)
        parts = self._use("single", reductions.single_element, (), specs)
        return structure.packer(self._element_spec)(tuple(parts))

    def _use(self, name: str, use: Any, tensors: Sequence[Any], specs: Any) -> Any:
        if self._is_eager() and not any(one.symbolic for one in tensors):
            try:
                return use(self.node, *tensors)
            except Exception as error:
                hide_frames(error)
                raise
        return operations.use_dataset(name, use, self._handle, tensors, specs)

    def with_own_options(self, options: Options) -> Any:
        """This very dataset, from now on with these options."""
        if not isinstance(options, Options):
            raise TypeError(f"options are a tf.data.Options, got {options!r}")
        self._options = options
        return self

    def __repr__(self) -> str:
        return f"<{self._label} element_spec={self._element_spec}>"

    __str__ = __repr__


def _demand_elements(have: Sequence[Any], said: Sequence[Any]) -> None:
    """Refuse to give elements that are not what the user says of a dataset that is a tensor.

    Raises:
        InvalidArgumentError: there are more or fewer components, or of other dtypes or shapes.
    """
    tensors = [
        (one, other)
        for one, other in zip(have, said, strict=False)
        if isinstance(one, TensorSpec) and isinstance(other, TensorSpec)
    ]
    if len(have) != len(said) or not all(
        one.dtype is other.dtype and one.shape.is_compatible_with(other.shape)
        for one, other in tensors
    ):
        raise InvalidArgumentError(
            f"elements are {[*have]}, but it was said of the dataset that they are {[*said]}"
        )
