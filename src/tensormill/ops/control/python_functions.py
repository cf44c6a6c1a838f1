"""Python functions as operations: `tf.py_function` and `tf.numpy_function`.

Compiled code calls back into Python for them. The function itself travels in the attribute
`token`, a string that remembers it. In a GraphDef only a name is left, as in TensorFlow: the
process that wrote it finds the function again, and no file of others can name one.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final
from weakref import WeakValueDictionary

import numpy as np

from ...core import context
from ...core.dtypes import DType, as_dtype
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, OpError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import Attr, In, Op, Out
from ..user_errors import translated
from .python_composites import is_composite, on_flat_tensors, packed

_numbers = itertools.count()
# With this names end in files of this process: what others write names no function here.
_SECRET: Final = os.urandom(16).hex()

# Differentiates a Python function: set by autodiff, which is below this folder.
differentiate: Callable[[Callable[..., Any], int], Callable[..., Any]] | None = None


class FunctionToken(str):
    """The name of a Python function in a graph; it knows the function and its results' specs."""

    function: Callable[..., Any]
    specs: tuple[TensorSpec, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], specs: Sequence[TensorSpec]) -> FunctionToken:
        token = cls(f"pyfunc_{next(_numbers)}")
        token.function, token.specs = function, tuple(specs)
        return token

    @property
    def in_files(self) -> str:
        """The name by which `named` finds it again in this process, as long as somebody has it."""
        name = f"{self}_{_SECRET}"
        _written[name] = self
        return name

    @staticmethod
    def named(name: str) -> FunctionToken | None:
        """What this process has written under a name."""
        return _written.get(name)

    def keep(self) -> None:
        """Let it be found as long as this process runs: it is in a file."""
        _kept[self] = self


_written: Final[WeakValueDictionary[str, FunctionToken]] = WeakValueDictionary()
_kept: Final[dict[str, FunctionToken]] = {}


class PythonCall(Op, abstract=True):
    """Calls a Python function each time; its results are checked against what was promised."""

    input = In("[Tin]")
    output = Out("[Tout]")
    token = Attr(str)
    Tout = Attr()
    effects = (World.PYTHON,)

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.token.specs

    def eager(self, np: Any) -> tuple[Any, ...]:
        try:
            results = self.call(np)
        except OpError:
            raise
        except Exception as error:
            raise translated(error) from error
        return self._checked(results)

    def call(self, np: Any) -> Any:
        """What the Python function returns."""
        raise TypeError(f"{self.name} does not say how it calls")

    def _checked(self, results: Any) -> tuple[Any, ...]:
        specs = self.token.specs
        several = isinstance(results, (list, tuple))
        listed = list(results) if several else [] if results is None else [results]
        if len(specs) == 1 and several and len(listed) != 1:
            listed = [results]  # one tensor, given as a Python list
        if len(listed) != len(specs):
            raise InvalidArgumentError(
                f"{self.token} returns {len(listed)} values, but expects to see {len(specs)} "
                f"values: Tout is {[spec.dtype.name for spec in specs]}"
            )
        return tuple(_as_array(r, s, k) for k, (r, s) in enumerate(zip(listed, specs, strict=True)))


def _as_array(result: Any, spec: TensorSpec, position: int) -> Any:
    try:
        tensor = context.base.interpreter.convert(result, spec.dtype, None)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(
            f"{position}-th value returned by the Python function cannot become a "
            f"{spec.dtype.name} tensor, which Tout promises: {error}"
        ) from error
    if not spec.shape.is_compatible_with(tensor.shape):
        raise InvalidArgumentError(
            f"{position}-th value returned by the Python function has shape {tensor.shape}, but "
            f"Tout promises {spec.shape}"
        )
    return tensor._array


class EagerPyFunc(PythonCall):
    """A Python function of eager tensors; gradients run it again under a tape."""

    is_async = Attr(False)
    is_of_process = True

    def call(self, np: Any) -> Any:
        convert = context.base.interpreter.convert
        with context.entered(context.base):
            return self.token.function(*(convert(one, None, None) for one in self.input))

    def vjp(self, *doutput: Any) -> Any:
        if differentiate is None:
            return None
        count = len(self.input)
        sources = [k for k, one in enumerate(self.input) if one.dtype.is_floating]
        specs = [TensorSpec(self.input[k].shape, self.input[k].dtype) for k in sources]
        backward = differentiate(self.token.function, count)
        token = FunctionToken.of(lambda *all_: [backward(*all_)[k] for k in sources], specs)
        operands = [*self.input, *doutput]
        types = tuple(spec.dtype for spec in specs)
        found = iter(bind(EagerPyFunc, operands, token=token, Tout=types))
        return (tuple(next(found) if k in sources else None for k in range(count)),)


class PyFunc(PythonCall):
    """A Python function of NumPy arrays, and of bytes and NumPy's numbers for scalars. Not
    differentiable.
    """

    differentiable: ClassVar[bool] = False

    def call(self, np: Any) -> Any:
        # The user's function may write into its arrays: they are its own.
        return self.token.function(*(one.copy()[()] for one in self.input))


class PyFuncStateless(PyFunc):
    """The same, for a function without side effects: it may be left out where nobody reads it."""

    effects = ()


@dispatchable
def py_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Call `func` on eager tensors, in a graph too, each time the graph runs.

    Without `func` and `inp` the result is a decorator: `@tf.py_function(Tout=tf.float32)`.

    >>> tf.function(lambda x: tf.py_function(lambda y: sorted(y.numpy()), [x], tf.int32))(
    ...     tf.constant([3, 1, 2])
    ... ).numpy()
    array([1, 2, 3], dtype=int32)

    Args:
        func: takes the tensors of `inp`; returns tensors, or what becomes tensors of `Tout`.
        inp: a list of tensors, also ragged and sparse ones.
        Tout: a dtype or a TensorSpec (then the shape is known in the graph), or a list of them;
            the spec of a ragged or sparse tensor where `func` returns one.

    Raises:
        InvalidArgumentError: what `func` returned is not what `Tout` promises, or it raised a
            ValueError or TypeError. The error is of that class, too; `__cause__` is the exception.
        UnknownError: it raised another exception, and is of its class, too.
        TypeError: `inp` or `Tout` is missing, or `inp` is given to a decorator.
    """
    _check_given("py_function", func, inp, Tout)
    if func is None:
        return _decorator(py_function, Tout, name=name)
    several = isinstance(Tout, (list, tuple))
    promises = list(Tout) if several else [Tout]
    function, inputs, parts = on_flat_tensors(_checked(func, inp), inp, promises)
    flat = _apply(EagerPyFunc, function, inputs, parts, name)
    if not promises:
        return flat
    results = packed(flat, [one if is_composite(one) else None for one in promises])
    return results if several else results[0]


@dispatchable
def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call `func` on NumPy arrays. Not differentiable; otherwise like `py_function`.

    In graphs, scalars are bytes or NumPy's numbers; eagerly they are arrays, too.
    With `stateful=False` the call may be left out where nobody uses its results.

    >>> tf.function(lambda x: tf.numpy_function(np.cumsum, [x], tf.int32))(tf.range(4)).numpy()
    array([0, 1, 3, 6], dtype=int32)

    Raises: as `py_function`.
    """
    _check_given("numpy_function", func, inp, Tout)
    if func is None:
        return _decorator(numpy_function, Tout, stateful=stateful, name=name)
    function = _checked(func, inp)
    if not context.building_graph():
        function = _of_arrays(function)
    several = isinstance(Tout, (list, tuple))
    op = PyFunc if stateful else PyFuncStateless
    results = _apply(op, function, list(inp), list(Tout) if several else [Tout], name)
    return results if several else results[0]


def _of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of arrays, also where there are scalars."""

    def on_scalars(*values: Any) -> Any:
        return function(*(_array_of(one) for one in values))

    return on_scalars


def _array_of(value: Any) -> Any:
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)


def _check_given(kind: str, func: Any, inp: Any, Tout: Any) -> None:
    if Tout is None:
        raise TypeError(
            f"Missing required argument: 'Tout' of tf.{kind}, the dtype or dtypes of the results; "
            f"as a decorator it is written @tf.{kind}(Tout=tf.float32)"
        )
    if func is None and inp is not None:
        raise TypeError(f"tf.{kind} takes no `inp` as a decorator, that is without `func`")
    if func is not None and inp is None:
        raise TypeError(f"Missing argument `inp` of tf.{kind}: the list of what func is called on")


def _decorator(call: Callable[..., Any], Tout: Any, **options: Any) -> Callable[..., Any]:
    """What makes a function of tensors of a Python function, by `call`."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def on_tensors(*inputs: Any) -> Any:
            return call(func, inputs, Tout, **options)

        return on_tensors

    return decorate


def _checked(func: Any, inp: Any) -> Callable[..., Any]:
    if not callable(func):
        raise ValueError(f"Expected func to be callable. Received func={func!r}")
    if not isinstance(inp, (list, tuple)):
        raise TypeError(f"`inp` must be a list of tensors, got {type(inp).__name__}: {inp!r}")
    return func


def _apply(
    op: type[PythonCall], func: Any, inputs: list[Any], promises: list[Any], name: str | None
) -> Any:
    """The results in a list; in a trace, the operation, where none is promised."""
    specs = [_as_spec(one) for one in promises]
    token = FunctionToken.of(func, specs)
    types = tuple(spec.dtype for spec in specs)
    found = list(bind(op, inputs, token=token, Tout=types, name=name))
    return found or getattr(context.top().interpreter, "latest_operation", found)


def _as_spec(promise: DType | TensorSpec | Any) -> TensorSpec:
    return promise if isinstance(promise, TensorSpec) else TensorSpec(None, as_dtype(promise))
