"""`tf.lookup`: values by key, in eager code and in functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..core import context, dtypes
from ..core.dtypes import DType, as_dtype
from ..core.specs import TensorSpec
from ..core.tree import Composite
from ..eager.convert import convert_to_tensor
from ..errors import NotFoundError
from ..graph.by_hand.collections import GraphKeys
from ..ops.array.select import where
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.state.lookup import (
    LookupTableExportV2,
    LookupTableFindV2,
    LookupTableImportV2,
    LookupTableInsertV2,
    LookupTableRemoveV2,
    LookupTableSizeV2,
)
from ..ops.state.table_handles import (
    HashTableV2,
    MutableDenseHashTableV2,
    MutableHashTableOfTensorsV2,
    MutableHashTableV2,
)
from ..ops.strings.byte_strings import as_string
from ..ops.strings.hashing import to_hash_bucket_fast
from .assets import TrackableResource, outermost_scope, saveable_functions


def _of_each(keys: Any, find: Callable[[Any], Any]) -> Any:
    """What `find` gives for keys, which may be the values of a ragged or sparse tensor."""
    if not isinstance(keys, Composite):
        return find(keys)
    composite: Any = keys
    if hasattr(composite, "with_flat_values"):
        return composite.with_flat_values(find(composite.flat_values))
    return composite.with_values(find(composite.values))


def _of_dtype(keys: Any, dtype: DType) -> Any:
    tensor = as_tensor(keys, None, dtype)
    if tensor.dtype is not dtype:
        raise TypeError(f"Dtype of argument `keys` must be {dtype}, received: {tensor.dtype}")
    return tensor


class Table(TrackableResource):
    """Values by key."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: Any) -> None:
        super().__init__()
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        if self._key_dtype.is_floating:  # equal ones may differ in their last digit
            raise NotFoundError(f"Tables have no keys of dtype {self._key_dtype.name}: cast them")
        with context.init_scope():
            self._default_value = convert_to_tensor(default_value, self._value_dtype)
        self._name = name

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> table.key_dtype
        tf.string
        """
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> table.value_dtype
        tf.int32
        """
        return self._value_dtype

    @property
    def name(self) -> str | None:
        """That of its operation in a graph built by hand, without scopes; else there is none.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> tf.lookup.StaticHashTable(entries, -1, name='ages').name
        """
        handle = self.resource_handle
        return handle.op.name.rpartition("/")[2] if handle.symbolic else None

    def _new(self, op: Any, *operands: Any, **attrs: Any) -> Any:
        if not operands:
            attrs["key_dtype"] = self._key_dtype
        return bind(op, *operands, value_dtype=self._value_dtype, **attrs)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys (a tensor, or a composite of one), or the default.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> table.lookup(tf.constant(['b', 'z'])).numpy()
        array([ 2, -1], dtype=int32)

        Raises:
            TypeError: keys of another dtype.
        """
        return self._found(keys, self._default_value)

    def _found(self, keys: Any, default: Any) -> Any:
        return _of_each(keys, lambda flat: self._found_flat(flat, default))

    def _found_flat(self, keys: Any, default: Any) -> Any:
        return bind(LookupTableFindV2, self.resource_handle, self._checked(keys), default)

    def _checked(self, keys: Any) -> Any:
        return _of_dtype(keys, self._key_dtype)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)

    def size(self, name: str | None = None) -> Any:
        """How many entries there are, int64.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> table.size().numpy()
        np.int64(2)
        """
        return bind(LookupTableSizeV2, self.resource_handle)

    def export(self, name: str | None = None) -> Any:
        """All keys and all values, in one order.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> keys, values = table.export()
        >>> sorted(zip(keys.numpy().tolist(), values.numpy().tolist()))
        [(b'a', 1), (b'b', 2)]
        """
        return bind(
            LookupTableExportV2, self.resource_handle, Tkeys=self._key_dtype,
            Tvalues=self._value_dtype,
        )  # fmt: skip


class StaticHashTable(Table):
    """A table that is filled once, by an initializer.

    >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
    >>> table = tf.lookup.StaticHashTable(entries, default_value=-1)
    >>> table.lookup(tf.constant(['b', 'z'])).numpy()
    array([ 2, -1], dtype=int32)

    Raises:
        FailedPreconditionError: a key has two values.
        ValueError: the default value has axes.
        NotFoundError: keys of another dtype than integers and strings.
    """

    def __init__(
        self, initializer: Any, default_value: Any, name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, name)
        if not self._default_value.shape.is_compatible_with(()):
            raise ValueError(
                f"Shapes {self._default_value.shape} and () are not compatible: the default value "
                "of a static table is one number or text"
            )
        self._initializer = initializer
        with outermost_scope() as graph:
            filling = self._initialize()
        if graph is not None:  # sessions fill it when they are told
            graph.add_to_collection(GraphKeys.TABLE_INITIALIZERS, filling)
        self._filling = None if graph is None else filling

    @property
    def initializer(self) -> Any:
        """The operation that fills it, which sessions run; None where it was filled at once.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> print(table.initializer)  # it is filled at once
        None
        """
        return self._filling

    @property
    def default_value(self) -> Any:
        """The value of keys that are not there.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> table.default_value.numpy()
        np.int32(-1)
        """
        return self._default_value

    def _create_resource(self) -> Any:
        return self._new(HashTableV2, name=self._name or "hash_table")

    def _initialize(self) -> Any:
        return self._initializer.initialize(self)


class MutableTable(Table):
    """A table whose entries change: checkpoints and saved models have those of the moment."""

    saved_as: Final = "table"

    def _begin(self, checkpoint: bool) -> None:
        """Make it; the savers of a graph built by hand save its entries, too."""
        with outermost_scope() as graph:
            handle = self.resource_handle
            if graph is not None and checkpoint:
                graph.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, EntriesOfTable(self, handle.op))

    def _found_flat(self, keys: Any, default: Any) -> Any:
        # Tensors of another dtype are a ValueError here, as TensorFlow's conversion of them is.
        return super()._found_flat(convert_to_tensor(keys, self._key_dtype), default)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Add entries, or change them.

        Raises:
            InvalidArgumentError: keys and values do not fit.
        """
        keys = convert_to_tensor(keys, self._key_dtype)
        values = convert_to_tensor(values, self._value_dtype)
        return bind(LookupTableInsertV2, self.resource_handle, keys, values)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Remove entries; keys that are not there are passed over."""
        return bind(LookupTableRemoveV2, self.resource_handle, self._checked(keys))

    def _serialize_to_tensors(self) -> dict[str, Any]:
        keys, values = self.export()
        return {"-keys": keys, "-values": values}

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> Any:
        keys, values = (restored_tensors[name] for name in ("-keys", "-values"))
        return bind(LookupTableImportV2, self.resource_handle, keys, values)

    def _saveable_functions(self) -> dict[str, tuple[Any, Any]]:
        kinds = {"-keys": self._key_dtype, "-values": self._value_dtype}
        specs = {
            name: TensorSpec(None, dtype, f"restored_tensors_{number}")
            for number, (name, dtype) in enumerate(kinds.items())
        }
        return {self.saved_as: saveable_functions(self, specs)}


class EntriesOfTable:
    """What savers of graphs ask of a table: its tensors, and an operation that restores it."""

    def __init__(self, table: MutableTable, op: Any) -> None:
        self.op: Final = op
        self.name: Final[str] = op.name
        self._table: Final = table

    def tensors(self) -> dict[str, Any]:
        """What is saved, by its names in the file."""
        return {
            f"{self.name}{key}": one for key, one in self._table._serialize_to_tensors().items()
        }

    def restore(self, restored_tensors: Sequence[Any], restored_shapes: Any = None) -> Any:
        """The operation that gives the table these tensors."""
        return self._table._restore_from_tensors(
            dict(zip(("-keys", "-values"), restored_tensors, strict=True))
        )


class MutableHashTable(MutableTable):
    """A table whose entries may be added, changed and removed.

    default_value: a scalar, or a vector where all values are vectors.

    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int32, default_value=0)
    >>> table.insert(['a'], [5])
    >>> table.lookup(tf.constant(['a', 'b'])).numpy(), int(table.size())
    (array([5, 0], dtype=int32), 1)
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any,
        name: str = "MutableHashTable", checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype, default_value, name)
        self._begin(checkpoint)

    def _create_resource(self) -> Any:
        if self._default_value.shape.rank == 0:
            return self._new(MutableHashTableV2, name=self._name)
        shape = self._default_value.shape
        return self._new(MutableHashTableOfTensorsV2, value_shape=shape, name=self._name)

    def lookup(self, keys: Any, dynamic_default_values: Any = None, name: str | None = None) -> Any:
        """The values of keys, or the default: that of the table, or one given for each key.

        >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int32, default_value=-1)
        >>> table.lookup(tf.constant(['a']), tf.constant([7])).numpy()
        array([7], dtype=int32)
        """
        default = self._default_value
        if dynamic_default_values is not None:
            default = convert_to_tensor(dynamic_default_values, self._value_dtype)
        return self._found(keys, default)


class DenseHashTable(MutableTable):
    """A table whose entries may be added, changed and removed, and which refuses two keys.

    key_dtype, value_dtype: of keys and values. default_value: a scalar, or a tensor of the shape
    that all values have. empty_key, deleted_key: scalars, which no key may be; or vectors, as all
    keys then are, [n, their length]. initial_num_buckets: how many places there are at first, a
    power of 2 from 4 on; `export` tells all of them, and scalars as keys [n, 1].

    >>> table = tf.lookup.experimental.DenseHashTable(
    ...     tf.int64, tf.int64, default_value=-1, empty_key=0, deleted_key=-1)
    >>> table.insert(tf.constant([5], tf.int64), tf.constant([50], tf.int64))
    >>> table.lookup(tf.constant([5, 6], tf.int64)).numpy()
    array([50, -1])

    Raises:
        InvalidArgumentError: a key that is asked for, or given, is one of the two.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any,
        deleted_key: Any, initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable", checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype, default_value, name)
        with context.init_scope():
            self._empty_key = convert_to_tensor(empty_key, self._key_dtype)
            self._deleted_key = convert_to_tensor(deleted_key, self._key_dtype)
        self._count = 131072 if initial_num_buckets is None else initial_num_buckets
        self._begin(checkpoint)

    def _create_resource(self) -> Any:
        shape, count = self._default_value.shape, self._count
        keys = self._empty_key, self._deleted_key
        return self._new(
            MutableDenseHashTableV2, *keys, value_shape=shape, initial_num_buckets=count,
            name=self._name,
        )  # fmt: skip

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """The same as `insert`."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Any:
        """The same as `remove`."""
        return self.remove(keys, name)


class StaticVocabularyTable(TrackableResource):
    """A table of int64 values which gives every other key one of `num_oov_buckets` further numbers,
    by its fingerprint.

    >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
    >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
    >>> table.lookup(tf.constant(['b', 'z'])).numpy()
    array([1, 2])

    Raises:
        ValueError: no further buckets.
        TypeError: numbers that are not int64.
    """

    def __init__(
        self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None,
        name: str | None = None, experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_oov_buckets < 1:
            raise ValueError("`num_oov_buckets` must be >= 1.")
        if initializer is not None and initializer.value_dtype is not dtypes.int64:
            raise TypeError(f"the numbers of keys are int64, not {initializer.value_dtype.name}")
        self._buckets, self._name = num_oov_buckets, name
        self._table = None if initializer is None else StaticHashTable(initializer, -1)
        known = dtypes.string if self._table is None else self._table.key_dtype
        self._key_dtype = known if lookup_key_dtype is None else as_dtype(lookup_key_dtype)

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
        >>> table.key_dtype
        tf.string
        """
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the numbers, int64.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
        >>> table.value_dtype
        tf.int64
        """
        return dtypes.int64

    @property
    def name(self) -> str | None:
        """The name that it was given; without one, that of the table in it or of mere buckets.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> tf.lookup.StaticVocabularyTable(entries, 1, name='words').name
        'words'
        """
        if self._name is not None:
            return self._name
        return "hash_bucket" if self._table is None else self._table.name

    @property
    def initializer(self) -> Any:
        """What fills the table in it, which sessions run; None where nothing is left to do.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
        >>> print(table.initializer)  # it is filled at once
        None
        """
        return None if self._table is None else self._table.initializer

    @property
    def resource_handle(self) -> Any:
        """The handle of the table in it, a scalar of dtype resource; None where it has none.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
        >>> table.resource_handle.dtype
        tf.resource
        """
        return None if self._table is None else self._table.resource_handle

    def size(self, name: str | None = None) -> Any:
        """How many numbers there are.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
        >>> table.size().numpy()
        np.int64(3)
        """
        inner = convert_to_tensor(0, dtypes.int64) if self._table is None else self._table.size()
        return inner + self._buckets

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The numbers of keys (a tensor, or a composite of one).

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], np.arange(2))
        >>> table = tf.lookup.StaticVocabularyTable(entries, num_oov_buckets=1)
        >>> table.lookup(tf.constant(['b', 'z'])).numpy()
        array([1, 2])

        Raises:
            TypeError: keys of another dtype.
        """
        return _of_each(keys, self._numbers)

    def _numbers(self, keys: Any) -> Any:
        keys = _of_dtype(keys, self._key_dtype)
        text = keys if keys.dtype is dtypes.string else as_string(keys)
        other = to_hash_bucket_fast(text, self._buckets)
        if self._table is None:
            return other
        wanted = keys if keys.dtype is self._table.key_dtype else cast(keys, self._table.key_dtype)
        found = self._table.lookup(wanted)
        return where(found < 0, other + self._table.size(), found)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)
