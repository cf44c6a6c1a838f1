"""`Tensor`, and the tensors of eager execution: an array that nobody writes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import BY_NUMPY_NUMBER, DType, of_storage, shown
from ..core.shapes import SCALAR, TensorShape, as_shape
from ..core.specs import ListSpec, ObjectSpec
from ..core.tensorflow_names import at_home_in
from ..core.values import TensorLike
from ..errors import InvalidArgumentError, error_of_device
from ..ops.dispatch.placements import installed, with_devices
from . import printing, protocols
from .arrays import canonical
from .devices import count_of, device_of_array, has_accelerators, usual_device
from .operators import Operators

Array = np.ndarray[Any, Any]

PROCESS: Final = "/job:localhost/replica:0/task:0/device:"
DEVICE: Final = f"{PROCESS}CPU:0"
CPUS: Final = f"{PROCESS}CPU:"

# What users of NumPy look for, and where it is.
NUMPY_NAMES: Final = frozenset(
    "T astype ravel transpose reshape clip size tolist data item min max mean sum prod any all "
    "argmax argmin flatten squeeze copy dot fill nonzero round sort std var".split()
)

# What only tensors of a graph have.
GRAPH_NAMES: Final = frozenset(("name", "op", "graph", "value_index"))
# What part of a variable one can be told, as in `v[0].assign(1.0)`.
SLICE_METHODS: Final = ("assign", "assign_add", "assign_sub")
# What may be asked of the variable behind the result of an assignment in a trace.
CHAINED: Final = (*SLICE_METHODS, "read_value", "count_up_to", "batch_scatter_update")


@at_home_in("tensorflow.python.framework.tensor")
class Tensor(Operators, TensorLike):
    """A value with a dtype and a shape; `EagerTensor` has it at hand, others will have it.

    Has Python's operators and NumPy's indexing. Operands of an operator share one dtype: Python
    numbers and NumPy arrays adopt that of the tensor beside them.

    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x.shape, x.dtype, (x[0] + 1).numpy()
    (TensorShape([2, 2]), tf.float32, array([2., 3.], dtype=float32))
    """

    __slots__ = ()
    symbolic: ClassVar[bool] = False
    OVERLOADABLE_OPERATORS: ClassVar[frozenset[str]] = frozenset(
        f"__{name}__"
        for name in (
            "abs add and div eq floordiv ge getitem gt invert le lt matmul mod mul ne neg or pow "
            "radd rand rdiv rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor sub truediv xor"
        ).split()
    )
    # NumPy leaves `array + tensor` to the tensor.
    __array_priority__: ClassVar[int] = 100

    @property
    def dtype(self) -> DType:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The dtype of the elements.

        >>> tf.constant([1.0, 2.0]).dtype
        tf.float32
        """
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The shape, as far as it is known.

        >>> tf.zeros([2, 3]).shape
        TensorShape([2, 3])
        """
        raise NotImplementedError

    @property
    def name(self) -> str:
        """What a graph calls it; an AttributeError where there is no graph.

        >>> with tf.Graph().as_default():
        ...     x = tf.constant(1.0, name='x')
        ...     print(x.name)
        x:0
        """
        raise AttributeError("Tensor.name is undefined when eager execution is enabled.")

    def set_shape(self, shape: Any) -> None:
        """Say more of the shape, or check it.

        >>> @tf.function(input_signature=[tf.TensorSpec(None)])
        ... def row(x):
        ...     x.set_shape([3])
        ...     print(x.shape)
        ...     return x
        >>> row(tf.zeros([3])).shape
        (3,)
        TensorShape([3])

        Raises:
            ValueError: it is another one.
        """
        raise NotImplementedError

    @property
    def ndim(self) -> int:
        """The rank.

        >>> tf.zeros([2, 3]).ndim
        2

        Raises:
            ValueError: it is unknown.
        """
        return len(self.shape)

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        >>> tf.zeros([2, 3]).get_shape()
        TensorShape([2, 3])
        """
        return self.shape

    def ref(self) -> protocols.Reference:
        """A hashable stand-in, equal to other references to this very tensor.

        >>> x = tf.constant(1)
        >>> {x.ref(): 'the one'}[x.ref()]
        'the one'
        """
        return protocols.Reference(self)

    experimental_ref = ref

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            f"'{type(self).__name__}' object does not support item assignment; "
            f"use tf.tensor_scatter_nd_update, or a tf.Variable"
        )

    def __delitem__(self, key: Any) -> None:
        raise TypeError(f"'{type(self).__name__}' object does not support item deletion")

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value as an array, in a graph built by hand: `session.run(self, feed_dict)`.

        >>> with tf.Graph().as_default():
        ...     x = tf.constant(2.0)
        ...     with tf.compat.v1.Session() as session:
        ...         print(x.eval(session=session))
        2.0

        Raises:
            NotImplementedError: the tensor is eager, and has `numpy()`, or of a function.
            ValueError: there is no session.
        """
        raise NotImplementedError("eval is not supported for tensors; is .numpy() what you want?")

    def __bool__(self) -> bool:
        """Of a client's object that borrows this: whether what it stands for is true."""
        from .convert import convert_to_tensor  # which makes tensors

        return bool(convert_to_tensor(self))

    __nonzero__ = __bool__

    if TYPE_CHECKING:  # what eager tensors have: most that users hold are

        def numpy(self) -> Any: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __complex__(self) -> complex: ...
        def __index__(self) -> int: ...
        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __contains__(self, value: Any) -> bool: ...
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array: ...
        def __dlpack__(self, **options: Any) -> Any: ...
        def __dlpack_device__(self) -> tuple[int, int]: ...

    def __getattr__(self, name: str) -> Any:
        if name in SLICE_METHODS and "_assignable" in self.__dict__:
            variable, key = self.__dict__["_assignable"]
            return getattr(variable._part(key), name)
        if "_assigned" in self.__dict__ and (name in CHAINED or name.startswith("scatter_")):
            return getattr(self.__dict__["_assigned"](), name)
        if name in GRAPH_NAMES:
            raise AttributeError(f"Tensor.{name} is undefined when eager execution is enabled.")
        message = f"'{type(self).__name__}' object has no attribute '{name}'"
        if name in NUMPY_NAMES:
            message += f"; a tensor is no ndarray: use x.numpy().{name}, or an operation such as "
            message += "tf.reshape, tf.cast, tf.transpose, tf.size; or call "
            message += "tf.experimental.numpy.experimental_enable_numpy_behavior() first"
        elif name.startswith(("assign", "scatter_")):
            message += "; only a tf.Variable can be changed"
        elif name in ("append", "extend"):
            message += "; tensors do not grow: use tf.concat, or a list and tf.stack"
        raise AttributeError(message)


@at_home_in("tensorflow.python.framework.ops")
class EagerTensor(Tensor):
    """A tensor whose value exists.

    `_array` is an ndarray: C-contiguous, aligned, of native byte order, its dtype object the very
    `DType.storage`, and never written to. Native code relies on all of that.

    What a program of XLA gives stays on its device until somebody looks: `_array` is not there
    before (native code sees null, and leaves the call to Python), and `__getattr__` fetches it:

        EagerTensor._array ──► nothing         x.numpy()     EagerTensor._array ──► ndarray
            _away ──► device memory                              _away ──► device memory
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_away")
    _array: Array
    if TYPE_CHECKING:
        _here: Array  # `_array`; an AttributeError where that is on another device than the CPU
    # What it has on a device: its shape and dtype, and the array. None where nothing was put there.
    _away: tuple[tuple[Any, ...], Any] | None
    is_packed: ClassVar[bool] = False  # asked for by clients: whether it lies on several devices

    def __getattr__(self, name: str) -> Any:
        if name == "_here":
            away, devices = self._away, installed.devices
            if away is None or (devices is not None and devices.has(away[1])):
                raise AttributeError(name)
            return self._array
        if name == "_array" and (away := self._away) is not None:
            try:
                self._array = np.asarray(away[1])  # two threads get the same object
            except RuntimeError as error:
                raise error_of_device(error) from None
            if (there := PROCESS + device_of_array(away[1])) != DEVICE or has_accelerators():
                self.__dict__["_memory"] = there
            return self._array
        return None if name == "_away" else super().__getattr__(name)

    @property
    def dtype(self) -> DType:  # pyright: ignore[reportIncompatibleVariableOverride]
        try:
            storage = self._here.dtype
        except AttributeError:
            storage = self._kind_there[1]
        return BY_NUMPY_NUMBER.get(storage.num) or of_storage(storage)

    @property
    def shape(self) -> TensorShape:  # pyright: ignore[reportIncompatibleVariableOverride]
        try:
            return shape_of(self._here.shape)
        except AttributeError:
            return shape_of(self._kind_there[0])

    @property
    def ndim(self) -> int:
        try:
            return self._here.ndim
        except AttributeError:
            return len(self._kind_there[0])

    @property
    def _kind_there(self) -> tuple[Any, ...]:
        """The shape and the dtype, NumPy's, of what is on a device."""
        assert self._away is not None
        return self._away[0]

    @property
    def device(self) -> str:
        """The device that the operation or function that gave it was meant for."""
        if (named := self.__dict__.get("_device")) is not None:
            return named
        away = self._away
        is_from_program = "_memory" in self.__dict__ or not (away is None or is_here(self))
        return PROCESS + usual_device() if is_from_program else DEVICE

    @property
    def backing_device(self) -> str:
        """The device in whose memory it is, which may be another where parts of a function name
        devices of their own.
        """
        if (on := self.__dict__.get("_memory")) is not None:
            return on
        away = self._away
        if away is None or away[1] is None or is_here(self):
            own = self.__dict__.get("_device", DEVICE)
            return own if own.startswith(CPUS) else DEVICE
        return PROCESS + device_of_array(away[1])

    def numpy(self) -> Any:
        """The value as NumPy has it: a copy; a scalar tensor gives a NumPy scalar or bytes."""
        array = shown(self._array)
        return array.copy() if array.ndim else array[()]

    def _numpy(self) -> Any:  # libraries (tensorflow-datasets, tf_keras) ask for it by this name
        return self.numpy()

    def cpu(self) -> EagerTensor:
        """A copy on the first CPU; the tensor itself where it is there."""
        return self if self.device == self.backing_device == DEVICE else wrap(self._array, DEVICE)

    def gpu(self, gpu_index: int = 0) -> EagerTensor:
        """A copy on a GPU.

        Raises:
            RuntimeError: there is no such GPU.
        """
        if not 0 <= gpu_index < count_of("GPU"):
            raise RuntimeError(f"GPU:{gpu_index} unknown device.")
        return with_devices().moved(self, f"{PROCESS}GPU:{gpu_index}")

    def set_shape(self, shape: Any) -> None:
        """Check the shape.

        Raises:
            ValueError: it is another one.
        """
        if not self.shape.is_compatible_with(as_shape(shape)):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape "
                f"{as_shape(shape)}."
            )

    def consumers(self) -> Any:
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def __bool__(self) -> bool:
        return protocols.as_bool(shown(self._array))

    def __int__(self) -> int:
        return int(protocols.as_number(shown(self._array), "int"))

    def __float__(self) -> float:
        return float(protocols.as_number(shown(self._array), "float"))

    def __complex__(self) -> complex:
        return complex(protocols.as_number(shown(self._array), "complex"))

    def __index__(self) -> int:
        return protocols.as_index(shown(self._array))

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        try:
            return len(self._here)
        except AttributeError:
            return self._kind_there[0][0]

    def __format__(self, specification: str) -> str:
        return format(self.numpy(), specification)

    def __repr__(self) -> str:
        return printing.representation(self._array, self.dtype)

    def __str__(self) -> str:
        return printing.text(self._array, self.dtype)

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return self

    def __reduce__(self) -> Any:
        return from_array, (self._array,)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return protocols.as_array(shown(self._array), dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        return protocols.dlpack(shown(self._array), **options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()

    @property
    def __array_struct__(self) -> Any:  # NumPy asks for it first
        return protocols.described(shown(self._array)).__array_struct__

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return protocols.described(shown(self._array)).__array_interface__

    def __buffer__(self, flags: int) -> memoryview:
        return protocols.read_only(shown(self._array)).data


_slot: Final = EagerTensor.__dict__["_array"]
# The same memory by another name: what is on another device than the CPU is not fetched for it.
type.__setattr__(EagerTensor, "_here", _slot)


def is_here(tensor: EagerTensor) -> bool:
    """Whether NumPy has the tensor, whoever else has."""
    try:
        _slot.__get__(tensor)
    except AttributeError:
        return False
    return True


class EagerHandle(Tensor):
    """A scalar that is no array: of a variable's `Storage`, a list, or an object of Python's."""

    __slots__ = ("__dict__", "__weakref__", "_array", "_dtype")
    _array: Any
    _away: ClassVar[None] = None
    _dtype: DType
    variable: Any  # of a variable's handle: a weak reference to the variable

    @property
    def dtype(self) -> DType:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._dtype

    @property
    def shape(self) -> TensorShape:  # pyright: ignore[reportIncompatibleVariableOverride]
        spec = getattr(self._array, "spec", None)
        return spec.shape if isinstance(spec, ObjectSpec) else SCALAR

    @property
    def device(self) -> str:
        """Where the variable is; lists and objects are on the first CPU."""
        return getattr(self._array, "device", DEVICE) or PROCESS + usual_device()

    def numpy(self, *_: Any, **__: Any) -> Any:
        raise InvalidArgumentError(
            f"a {self._dtype.name} tensor has no value that NumPy or Python could hold"
        )

    __array__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = numpy

    def __copy__(self) -> EagerHandle:
        return self

    def __deepcopy__(self, memo: Any) -> EagerHandle:
        return self

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self._dtype.name}, value={self._array!r}>"


@lru_cache(4096)
def shape_of(dims: tuple[int, ...]) -> TensorShape:
    return TensorShape(dims)


def put_on(place: str, results: Sequence[Any]) -> tuple[Any, ...]:
    """Results that nobody else has, which say from here on that they are on a device."""
    for one in results:
        if isinstance(one, EagerTensor):
            one.__dict__["_device"] = place
    return tuple(results)


def note_memory(places: Sequence[str | None], results: Sequence[Any]) -> None:
    """Let results of the CPU's say in the memory of which device they are, where that is known."""
    for place, one in zip(places, results, strict=True):
        if place is not None and type(one) is EagerTensor and is_here(one):
            one.__dict__["_memory"] = place


def wrap(array: Array, device: str | None = None) -> EagerTensor:
    """A tensor around a canonical array (see `EagerTensor`): nothing is checked or copied.

    device: the full name of where it is; None for the first CPU.
    """
    tensor = EagerTensor()
    tensor._array = array  # pyright: ignore[reportPrivateUsage]
    if device is not None:
        tensor.__dict__["_device"] = device
    return tensor


def another(tensor: EagerTensor) -> EagerTensor:
    """A tensor of its own with the same value, where that is."""
    if is_here(tensor):
        return wrap(tensor._array)  # pyright: ignore[reportPrivateUsage]
    made = EagerTensor()
    made._away = tensor._away  # pyright: ignore[reportPrivateUsage]
    return made


def tensor_of(storage: Any) -> EagerTensor:
    """The value of a variable, where that is."""
    array = storage.array
    if installed.usual is not None:
        return with_devices().read(storage)
    if type(array) is np.ndarray:
        tensor = EagerTensor()
        tensor._array = array  # pyright: ignore[reportPrivateUsage]
        return tensor
    devices = installed.devices
    found = None if devices is None else devices.snapshot(storage)
    return wrap(storage.read()) if found is None else found


def wrap_away(kind: tuple[tuple[int, ...], Any], device_array: Any) -> EagerTensor:
    """A tensor around an array in the memory of a device, which NumPy can have.

    kind: its shape, and its dtype as NumPy's.
    """
    tensor = EagerTensor()
    tensor._away = kind, device_array  # pyright: ignore[reportPrivateUsage]
    return tensor


def wrap_handle(payload: Any, dtype: DType | None = None) -> EagerHandle:
    """A handle of a variable's storage, a list, or an object whose `spec` is an ObjectSpec."""
    handle = EagerHandle()
    handle._array = payload  # pyright: ignore[reportPrivateUsage]
    handle._dtype = dtype or handle_dtype(payload)  # pyright: ignore[reportPrivateUsage]
    return handle


def handle_dtype(payload: Any) -> DType:
    """A handle of `payload` is a resource where there is a state behind it, else a variant."""
    spec = getattr(payload, "spec", None)
    return spec.dtype if isinstance(spec, (ListSpec, ObjectSpec)) else dtypes.resource


def from_array(array: Array) -> EagerTensor:
    """A tensor of a supported dtype around `array`, which becomes the tensor's own."""
    return wrap(canonical(array))


def is_symbolic(tensor: Any) -> bool:
    """Whether `tensor` is a tensor of a graph that is being traced.

    >>> tf.is_symbolic_tensor(tf.constant(1))
    False
    >>> traced = tf.function(lambda x: tf.is_symbolic_tensor(x))
    >>> bool(traced(tf.constant(1)))
    True
    """
    return isinstance(tensor, Tensor) and tensor.symbolic
