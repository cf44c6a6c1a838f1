"""Control flow as TensorFlow 1 calls it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from ...autodiff import symbolic
from ...autodiff.tape import UnconnectedGradients
from ...control import cond as branches
from ...control import while_loop as loops
from ...core import context, tree
from ...core.process.with_blocks import block
from ...eager import placement, scopes
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.strings.printing import Print as PrintOp
from ..variable_scopes import AUTO_REUSE, variable_scope
from .arguments import either


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """What one of two functions returns; a list of one is that one, unless `strict`.

    >>> int(tf.compat.v1.cond(tf.constant(True), lambda: 1, lambda: 2))
    1

    Raises:
        ValueError: an argument is given under both of its names.
        TypeError: a function is missing.
    """
    yes, no = either("true_fn", true_fn, "fn1", fn1), either("false_fn", false_fn, "fn2", fn2)
    if isinstance(pred, bool) and not context.building_graph():
        raise TypeError("pred must not be a Python bool")
    if not callable(yes) or not callable(no):
        raise TypeError("true_fn and false_fn must be callable.")
    return _unpacked(branches.cond(pred, yes, no, name), strict)


def _unpacked(results: Any, strict: bool) -> Any:
    if not strict and isinstance(results, (list, tuple)) and len(results) == 1:
        return results[0]
    return results


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: Any = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """`body` again and again while `cond` is true; one loop variable is returned as itself.

    cond: gives a bool scalar. loop_vars: tensors of any shapes and dtypes, which they keep, as far
    as `shape_invariants` do not say otherwise.

    >>> int(tf.compat.v1.while_loop(lambda i: i < 5, lambda i: i + 2, [0]))
    6

    Raises:
        TypeError: `cond` or `body` cannot be called, or the condition is no bool.
        ValueError: there are no loop variables, or one changes its dtype, shape or structure.
    """
    results = loops.while_loop(
        cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory,
        maximum_iterations, name,
    )  # fmt: skip
    leaves = tree.flatten(loop_vars)
    if return_same_structure or len(leaves) != 1:
        return results
    return tree.flatten(results)[0] if isinstance(loop_vars, (list, tuple)) else results


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The gradients of the sum of `ys` by each of `xs` (`tf.gradients`).

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.constant(3.0)
    ...     print(session.run(tf.compat.v1.gradients(x * x, x)))
    [np.float32(6.0)]

    Raises:
        RuntimeError: no graph is being built.
    """
    return symbolic.gradients(
        ys, xs, grad_ys, name, gate_gradients, aggregation_method, stop_gradients,
        unconnected_gradients,
    )  # fmt: skip


def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
) -> list[Any]:
    """The second derivatives of the sum of `ys` by each of `xs` (`tf.hessians`).

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.constant(3.0)
    ...     print(session.run(tf.compat.v1.hessians(x * x, x)))
    [np.float32(2.0)]

    Raises:
        RuntimeError: no graph is being built.
    """
    return symbolic.hessians(ys, xs, gate_gradients, aggregation_method, name)


class NameScopeV1(scopes.name_scope):
    """Operations made within are called `<name>/...`; where it is None, `<default_name>/...`.

    >>> with tf.compat.v1.name_scope(None, "layer") as scope:
    ...     print(scope)
    layer/

    Raises:
        TypeError: `values` are given and there is no name.
    """

    __slots__ = ()

    def __init__(
        self, name: str | None, default_name: str | None = None, values: Any = None
    ) -> None:
        if name is None and default_name is None and values is not None:
            raise TypeError("values are given, but neither name nor default_name is")
        super().__init__(name or ("" if name == "" else default_name or ""))


def device(device_name_or_function: Any) -> AbstractContextManager[Any]:
    """`tf.device`, which takes functions, too, in graphs that are built by hand.

    A function takes an operation and returns the name of its device. It is called when the
    operation is made, after those of blocks inside, whose names the operation has.

    >>> def by_kind(operation):
    ...     return "/device:CPU:1" if operation.type == "Const" else "/device:CPU:0"
    >>> with tf.Graph().as_default(), tf.compat.v1.device(by_kind):
    ...     x = tf.constant(1.0)
    ...     y = tf.identity(x)
    >>> x.device, y.device
    ('/device:CPU:1', '/device:CPU:0')

    Raises:
        ValueError: it is no device's name.
        RuntimeError: it is a function, and no graph is being built.
    """
    if not callable(device_name_or_function):
        return placement.device(device_name_or_function)
    interpreter: Any = context.top().interpreter
    if not interpreter.building_graph:
        raise RuntimeError("tf.device does not support functions when eager execution is enabled.")
    return interpreter.device(device_name_or_function)


@block
def colocate_with(op: Any, ignore_existing: bool = False) -> Generator[None]:
    """Operations made within are meant for the device that `op` is; eagerly nothing.

    >>> with tf.compat.v1.colocate_with(tf.constant(1)):
    ...     x = tf.constant(2)
    """
    interpreter: Any = context.top().interpreter
    with (
        interpreter.colocate_with(op, ignore_existing)
        if interpreter.building_graph
        else nullcontext()
    ):
        yield


def op_scope(values: Any, name: str | None, default_name: str | None = None) -> NameScopeV1:
    """`tf.compat.v1.name_scope` with its arguments in another order.

    >>> with tf.compat.v1.op_scope([], None, "layer") as scope:
    ...     print(scope)
    layer/

    Raises:
        TypeError: `values` are given and there is no name.
    """
    return NameScopeV1(name, default_name, values)


@block
def container(container_name: str) -> Generator[str]:
    """Nothing: the variables of a session have one container.

    >>> with tf.compat.v1.container("training") as name:
    ...     print(name)
    training
    """
    yield container_name


def Print(
    input_: Any,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Any:
    """`input_`, and when it is worked out `data` is printed, to the stream of errors.

    message: what stands before it. first_n: it prints the first times only; each time by default.
    summarize: so many elements of each tensor are shown, 3 by default; -1: all.

    >>> int(tf.compat.v1.Print(tf.constant(1), [tf.constant(2)], "two: "))
    1

    Raises:
        TypeError: `data` is no list.
        ValueError: `input_` is nothing that a tensor can hold.
    """
    tensors = [as_tensor(one) for one in data]
    return bind(
        PrintOp, as_tensor(input_), tensors, message="" if message is None else message,
        first_n=-1 if first_n is None else first_n,
        summarize=3 if summarize is None else summarize, name=name,
    )  # fmt: skip


class VariableTemplate:
    """A function whose variables are made once: what `make_template` gives."""

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        given: dict[str, Any],
        unique: str | None,
        custom_getter: Any,
    ) -> None:
        self._function = function
        self._given = given
        self._scope: Any = None
        self._name, self._unique = name, unique
        self._made: dict[str, Any] = {}
        self._is_complete = False
        self._custom_getter = custom_getter
        self.__name__ = name

    @property
    def name(self) -> str:
        """What it was called."""
        return self._name

    @property
    def variable_scope(self) -> Any:
        """The scope of its variables, which it has from its first call on."""
        return self._scope

    @property
    def var_scope(self) -> Any:
        """`variable_scope` by its older name."""
        return self.variable_scope

    @property
    def variables(self) -> list[Any]:
        """Those that it made."""
        return list(self._made.values())

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of them that optimizers change."""
        return [one for one in self.variables if one.trainable]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function returns, with the variables that its first call made."""
        if self._scope is not None:
            return self._called(args, kwargs)
        with variable_scope(self._unique, self._name) as self._scope:
            return self._called(args, kwargs, names_operations=False)

    def _called(self, args: Any, kwargs: Any, names_operations: bool = True) -> Any:
        with variable_scope(
            self._scope, reuse=AUTO_REUSE, custom_getter=self._get,
            auxiliary_name_scope=names_operations,
        ):  # fmt: skip
            result = self._function(*args, **{**self._given, **kwargs})
        self._is_complete = True
        return result

    def make_scope(self) -> None:
        """Have the scope of variables before the first call, which begins that of names."""
        with variable_scope(self._unique, self._name, auxiliary_name_scope=False) as self._scope:
            pass

    def _get(self, getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        if self._custom_getter is None:
            return self._kept(getter, name, *args, **kwargs)
        return self._custom_getter(partial(self._kept, getter), name, *args, **kwargs)

    def _kept(self, getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        found = self._made.get(name)
        if found is not None:
            _demand_shape(found, args[0] if args else kwargs.get("shape"))
            return found
        if self._is_complete:
            raise ValueError(
                f"Variable {name} does not exist: the first call of the template '{self._name}' "
                f"made {sorted(self._made)}, and all calls have these"
            )
        found = self._made[name] = getter(name, *args, **kwargs)
        return found


def _demand_shape(variable: Any, shape: Any) -> None:
    """Refuse to give a variable where one of another shape is wanted."""
    if shape is not None and not variable.shape.is_compatible_with(shape):
        raise ValueError(
            f"Trying to share variable {variable.name}, but specified shape {shape} and found "
            f"shape {variable.shape}."
        )


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> VariableTemplate:
    """`func_` with `kwargs`, as a function whose `get_variable`s are the same in all calls.

    >>> def scaled(x):
    ...     w = tf.compat.v1.get_variable("w", initializer=tf.constant(2.0))
    ...     return w * x
    >>> scale = tf.compat.v1.make_template("scale", scaled)
    >>> float(scale(3.0)), float(scale(4.0)), [v.name for v in scale.variables]
    (6.0, 8.0, ['scale/w:0'])

    Raises:
        TypeError (when it is called): `func_` cannot be called so.
        ValueError (when it is called): no scope can have this name; or a later call wants other
            variables than the first one, or of other shapes.
    """
    made = VariableTemplate(name_, func_, kwargs, unique_name_, custom_getter_)
    if create_scope_now_:
        made.make_scope()
    return made
