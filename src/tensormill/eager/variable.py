"""`tf.Variable`: a name for a value that changes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Never, Self
from weakref import ref

import numpy as np

from ..core import context
from ..core.dtypes import DType, as_dtype
from ..core.shapes import TensorShape, as_shape
from ..core.specs import TensorSpec
from ..core.tensorflow_names import at_home_in
from ..core.values import TensorLike
from ..ops.state import variables
from . import creation, printing
from .conversion_functions import by_registration, registered
from .convert import check_dtype, convert_to_tensor
from .devices import usual_device
from .operators import Operators
from .protocols import Reference
from .storage import Array, Storage
from .tensor import (
    PROCESS,
    Tensor,
    is_symbolic,
    tensor_of,
    wrap,
    wrap_handle,
)
from .variable_options import VariableAggregationV2, VariableSynchronization
from .variable_saving import SaveSliceInfo, Saving
from .variable_updates import Updates

if TYPE_CHECKING:
    from .variable_slices import VariableSlice

UNIQUE: Final = count()
get_context: Final = context.current.get


class VariableType(type):
    """Calling `Variable` asks the creators (see `creation`), who call the class in the end.

    A subclass is called as any class is: a creator may wrap what it makes in one.
    """

    if not TYPE_CHECKING:  # there `Variable(...)` is what `Variable.__init__` says

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            make = super().__call__
            if cls is not Variable:
                return make(*args, **kwargs)
            defaults = _defaults()
            given = dict(zip(defaults, args, strict=False)) | kwargs
            if len(given) != len(args) + len(kwargs) or not given.keys() <= defaults.keys():
                _parameters().bind(*args, **kwargs)  # says what is wrong
            return creation.create(make, **(defaults | given))


@cache
def _parameters() -> inspect.Signature:
    """Those of `tf.Variable`: creators get all of them, and may pass on more."""
    known = inspect.signature(Variable.__init__)
    _, *named = (one for one in known.parameters.values() if one.kind is not one.VAR_KEYWORD)
    return known.replace(parameters=named)


@cache
def _defaults() -> dict[str, Any]:
    return {one.name: one.default for one in _parameters().parameters.values()}


class Variable(Updates, Operators, TensorLike, Saving, metaclass=VariableType):
    """A tensor that can be assigned to; its shape and dtype stay.

    `initial_value` is anything that `convert_to_tensor` takes, or a function without arguments that
    returns such a thing. `shape` may be less specific than that of the initial value. Reading
    gives a snapshot: later assignments do not change it.

    >>> v = tf.Variable([1.0, 2.0], name='v')
    >>> v.assign_add([1.0, 1.0]).numpy()
    array([2., 3.], dtype=float32)
    >>> v[0].assign(7.0).numpy()
    array([7., 3.], dtype=float32)

    Raises:
        ValueError: no initial value, or one that does not fit `shape`, or of another dtype.
        TypeError: a Python value that does not fit `dtype`.
    """

    __array_priority__ = 100
    _should_act_as_resource_variable = True
    _in_graph_mode = False
    SaveSliceInfo = SaveSliceInfo
    constraint: Callable[[Any], Any] | None = None
    synchronization = VariableSynchronization.AUTO
    aggregation = VariableAggregationV2.NONE

    def __new__(cls, *_: Any, **__: Any) -> Self:
        # Whatever makes a plain variable makes one of the class that TensorFlow's are of.
        kind: Any = ResourceVariable if cls is Variable else cls
        return super().__new__(kind)

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregationV2 = VariableAggregationV2.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
        **_: Never,  # creators may pass on more, callers may not
    ) -> None:
        if initial_value is None:
            raise ValueError("The `initial_value` arg to `tf.Variable` must be specified")
        full_name = name_in_scope(name)
        array = initial_array(initial_value, None if dtype is None else as_dtype(dtype))
        spec = TensorSpec(declared_shape(array, shape), dtype_of(array))
        self._set_up(array, spec, full_name, trainable, constraint, synchronization, aggregation)

    @classmethod
    def uninitialized(
        cls,
        spec: TensorSpec,
        name: str | None = None,
        trainable: bool | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregationV2 = VariableAggregationV2.NONE,
    ) -> Variable:
        """A variable without a value: reading it before the first assignment is an error."""
        made = cls.__new__(cls)
        made._set_up(
            None, spec, name_in_scope(name), trainable, constraint, synchronization, aggregation
        )
        return made

    def _set_up(
        self,
        array: Array | None,
        spec: TensorSpec,
        name: str,
        trainable: bool | None,
        constraint: Callable[[Any], Any] | None,
        synchronization: VariableSynchronization,
        aggregation: VariableAggregationV2,
    ) -> None:
        if trainable is None:
            trainable = synchronization is not VariableSynchronization.ON_READ
        self._storage = Storage(array, spec, f"{name}:0", bool(trainable))
        self.handle = wrap_handle(self._storage)
        # Tapes and graphs see handles only; they name the variables behind them.
        self.handle.variable = ref(self)
        if not (constraint is None or callable(constraint)):
            raise ValueError(f"constraint must be None or a callable, not {constraint!r}")
        if (place := context.top().interpreter.at_once.on_device) is not None:
            vars(self)["_device"] = self._storage.device = place
        self.constraint = constraint
        self.synchronization = synchronization
        self.aggregation = aggregation
        self._shared_name = name
        self._unique_id = f"{name}_{next(UNIQUE)}"

    # ---- what it is

    @property
    def dtype(self) -> DType:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The dtype of its values.

        >>> tf.Variable(1).dtype
        tf.int32
        """
        return self._storage.spec.dtype

    @property
    def shape(self) -> TensorShape:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What its values' shapes have in common, a TensorShape.

        >>> tf.Variable([1, 2]).shape
        TensorShape([2])
        >>> tf.Variable([1, 2], shape=[None]).shape
        TensorShape([None])
        """
        return self._storage.spec.shape

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        >>> tf.Variable([1, 2]).get_shape()
        TensorShape([2])
        """
        return self.shape

    @property
    def ndim(self) -> int:
        """The rank."""
        return len(self.shape)

    @property
    def name(self) -> str:
        """The name that it was given, with those of the scopes around it and `:0`.

        >>> tf.Variable(1.0, name='w').name
        'w:0'
        """
        return self._storage.name

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it when it is read.

        >>> tf.Variable(1.0).trainable, tf.Variable(0, trainable=False).trainable
        (True, False)
        """
        return self._storage.trainable

    @property
    def _trainable(self) -> bool:
        """The same for clients that change it, as there is no public way to.

        Their subclasses that do not begin as variables do, and so have no storage, keep it
        themselves.
        """
        own = vars(self).get("_trainable")
        return self._storage.trainable if own is None else own

    @_trainable.setter
    def _trainable(self, value: bool) -> None:
        if hasattr(self, "_storage"):
            self._storage.trainable = bool(value)
        else:
            vars(self)["_trainable"] = bool(value)

    @property
    def device(self) -> str:
        """Where it is: on the device that was in force when it was made.

        >>> tf.Variable(1.0).device
        '/job:localhost/replica:0/task:0/device:CPU:0'
        """
        return self.__dict__.get("_device") or PROCESS + usual_device()

    def is_initialized(self, name: str | None = None) -> Any:
        """Whether it has a value, a bool scalar.

        >>> bool(tf.Variable(1.0).is_initialized())
        True
        """
        return convert_to_tensor(self._storage.settled() is not None)

    def ref(self) -> Reference:
        """A hashable stand-in, equal to other references to this very variable.

        >>> v = tf.Variable(1.0)
        >>> {v.ref(): 'the one'}[v.ref()]
        'the one'
        """
        return Reference(self)

    experimental_ref = ref

    # ---- reading

    def value(self) -> Tensor:
        """The value now, as a tensor.

        >>> tf.Variable([1, 2]).value()
        <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
        """
        here = get_context(None)
        if here is None or here.plain:  # nobody needs to be told
            tensor = tensor_of(self._storage)
            if (place := self.__dict__.get("_device")) is not None:
                tensor.__dict__["_device"] = place
            return tensor
        return variables.read(self.handle, self.dtype)

    def read_first(self) -> Any:
        return self.value() if context.building_graph() else self

    def read_value(self) -> Tensor:
        """The value now, as a tensor.

        >>> tf.Variable(2.0).read_value().numpy()
        np.float32(2.0)
        """
        here = get_context(None)
        if (here is None or here.plain) and type(self).value is USUAL_VALUE:
            return tensor_of(self._storage)  # where operations are: it is a copy
        return self.value()

    def read_value_no_copy(self) -> Tensor:
        """The same as `read_value`: later assignments do not change what was read."""
        return self.value()

    def numpy(self) -> Any:
        """The value as NumPy has it.

        >>> tf.Variable([1, 2]).numpy()
        array([1, 2], dtype=int32)

        Raises:
            NotImplementedError: a function is being traced.
        """
        if context.building_graph():
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return wrap(self._storage.read()).numpy()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """A class of the user's that says what its value is means that value in operators."""
        super().__init_subclass__(**kwargs)
        if "value" in vars(cls) and not issubclass(cls, ResourceVariable):
            cls._OverloadAllOperators()

    @classmethod
    def _OverloadAllOperators(cls) -> None:  # classes of larq and Keras 2 call it by this name
        """Give a class the operators of its value, but for those that it has."""
        for name in (Tensor.OVERLOADABLE_OPERATORS | {"__ne__"}) - vars(cls).keys():
            # Comparisons for equality convert the variable itself, as TensorFlow's do.
            equality = name in ("__eq__", "__ne__")
            setattr(cls, name, getattr(Operators, name) if equality else _of_value(name))

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Any:
        if registered and not isinstance(self, ResourceVariable):  # a user's class is as any other
            found = by_registration(self, dtype, None)
            if found is not None:
                return found
        if dtype is not None and dtype is not self.dtype:
            check_dtype(self.value(), dtype)
        return self.value()

    # Variables of clients that are around another (larq's) ask that one by these names.

    def _dense_var_to_tensor(
        self, dtype: DType | None = None, name: str | None = None, as_ref: bool = False
    ) -> Any:
        return self.op.inputs[0] if as_ref else self.__tf_tensor__(dtype, name)

    def _as_graph_element(self) -> Any:
        return None

    def __getitem__(self, key: Any) -> Any:
        """The part `key`; its `assign`, `assign_add` and `assign_sub` change the variable there."""
        part: Any = self.value()[key]
        part._assignable = (self, key)
        return part

    def _part(self, key: Any) -> VariableSlice:
        from .variable_slices import VariableSlice  # few programs assign to parts

        return VariableSlice(self, key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.numpy(), dtype)

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __complex__(self) -> complex:
        return complex(self.value())

    def __index__(self) -> int:
        return self.value().__index__()

    def __len__(self) -> int:
        return len(self.value())

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value(), digits)

    # ---- what it is not

    def __hash__(self) -> int:
        raise TypeError(
            f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
        )

    @property
    def op(self) -> Any:
        """Raises:
        AttributeError: always: variables are eager, and no operation makes them.
        """
        raise AttributeError("Variable.op is undefined when eager execution is enabled.")

    @property
    def graph(self) -> Any:
        """Raises:
        AttributeError: always: variables are eager, and in no graph.
        """
        raise AttributeError("Variable.graph is undefined when eager execution is enabled.")

    @property
    def initializer(self) -> None:
        """None: a variable has its value from the beginning."""
        return None

    @property
    def initial_value(self) -> Any:
        """Raises:
        RuntimeError: always: the value that it had first is not kept.
        """
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    def eval(self, session: Any = None) -> Any:
        """Not supported: there are no sessions where variables are made; `numpy()` has the value.

        >>> tf.Variable(2.0).numpy()
        np.float32(2.0)

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("This operation is not supported when eager execution is enabled.")

    def to_proto(self, export_scope: Any = None) -> Any:
        """Not supported: `tf.train.Checkpoint` and `tf.saved_model.save` keep variables.

        >>> path = tf.train.Checkpoint(v=tf.Variable(2.0)).write("kept")
        >>> tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE")
        np.float32(2.0)

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("This operation is not supported when eager execution is enabled.")

    def set_shape(self, shape: Any) -> None:
        """Check the shape.

        >>> tf.Variable([1, 2], shape=[None]).set_shape([2])

        Raises:
            ValueError: it is another one.
        """
        self.shape.assert_is_compatible_with(shape)

    # ---- copies

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        made = rebuild(self._storage.value(), *self._facts())
        memo[id(self)] = made
        return made

    def __reduce__(self) -> Any:
        return rebuild, (self._storage.value(), *self._facts())

    def _facts(self) -> tuple[Any, ...]:
        return (
            self._storage.spec, self._shared_name, self.trainable, self.constraint,
            self.synchronization, self.aggregation,
        )  # fmt: skip

    def __repr__(self) -> str:
        head = f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}"
        if context.building_graph():
            return f"{head}>"
        value = self._storage.value()
        if value is None:
            return f"{head}, uninitialized>"
        shown = printing.value_text(value, True)
        separator = "\n" if "\n" in shown else ""
        return f"{head}, numpy={separator}{shown}>"


USUAL_VALUE: Final = Variable.value


@at_home_in("tensorflow.python.ops.resource_variable_ops")
class ResourceVariable(Variable):
    """What `tf.Variable(...)` makes: programs print, and decide by, the name of this class."""

    def _as_result(self) -> Any:
        return UnreadVariable.of(self) if type(self) is ResourceVariable else self


@at_home_in("tensorflow.python.ops.resource_variable_ops")
class UnreadVariable(ResourceVariable):
    """What assigning gives in eager code: the variable, seen as the result of an operation.

    It has all that the variable has, by the very same dict.
    """

    __slots__ = ("_assigned",)
    # Programs of TensorFlow 1 wait for it: `tf.compat.v1.assign(v, 1.0).op`.
    op = None  # pyright: ignore[reportAssignmentType]
    name = "UnreadVariable"  # pyright: ignore[reportAssignmentType]

    @classmethod
    def of(cls, variable: ResourceVariable) -> UnreadVariable:
        made: Any = object.__new__(cls)
        made.__dict__ = variable.__dict__
        made._assigned = variable  # which lives as long: handles and tapes know it weakly
        return made


# Programs that print what assigning gave them print TensorFlow's name.
UnreadVariable.__name__ = UnreadVariable.__qualname__ = "_UnreadVariable"


def _of_value(name: str) -> Callable[..., Any]:
    def operator(self: Any, *operands: Any) -> Any:
        return getattr(self.value(), name)(*operands)

    operator.__name__ = name
    return operator


def rebuild(array: Array | None, spec: TensorSpec, name: str, *options: Any) -> Variable:
    """A variable of its own with these facts (copies and unpickled ones come from here)."""
    made = Variable.__new__(Variable)
    made._set_up(  # pyright: ignore[reportPrivateUsage]
        None if array is None else np.array(array, spec.dtype.storage), spec, name, *options
    )
    return made


def name_in_scope(name: str | None) -> str:
    return f"{context.top().name_scope}{name or 'Variable'}"


def dtype_of(array: Array) -> DType:
    return wrap(array).dtype


def initial_array(initial_value: Any, dtype: DType | None) -> Array:
    """The array of an initial value, found outside of every trace and tape."""
    with context.init_scope():
        if callable(initial_value) and not isinstance(initial_value, TensorLike):
            initial_value = initial_value()
        if is_symbolic(initial_value):
            raise ValueError(
                f"the initial value {initial_value!r} of a tf.Variable depends on a tensor of the "
                f"function that is being traced; pass a function that returns the value"
            )
        tensor = convert_to_tensor(initial_value, dtype)
    return tensor._array


def declared_shape(array: Array, shape: Any) -> TensorShape:
    own = TensorShape(array.shape)
    if shape is None:
        return own
    declared = as_shape(shape)
    if not declared.is_compatible_with(own):
        raise ValueError(
            f"the shape of the initial value, {own}, is not compatible with the explicitly "
            f"supplied `shape` {declared}"
        )
    return declared
