"""Operations that leave values as they are and say something about their flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import api, bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import ANY, Attr, In, Moves, Op, Out, as_eager
from ..underivable import no_derivative

if TYPE_CHECKING:
    from ..results import Tensor


class Passing(Op, abstract=True):
    """The output is the input."""

    moves = Moves.NAMES
    input = In("T ...")
    output = Out("T ...")
    T = ANY
    xla = as_eager

    def infer(self) -> Any:
        return self.input.spec

    def eager(self, np: Any) -> Any:
        return self.input

    def lower(self, loops: Any) -> Any:
        return self.input


class Identity(Passing):
    """The same tensor again."""

    T = None  # handles and lists too

    def vjp(self, doutput: Any) -> Any:
        return doutput


@dispatchable
def identity(input: Any, name: str | None = None) -> Tensor:
    """The same tensor again, under a name of its own; of a ragged or sparse tensor the same parts.

    A variable gives the value that it has now.

    input: a tensor of any shape and dtype, which the result has.

    >>> counter = tf.Variable(1)
    >>> before = tf.identity(counter)
    >>> int(counter.assign_add(1)), int(before)
    (2, 1)

    Raises:
        ValueError: the operand is nothing that a tensor can hold.
    """
    return bind(Identity, input, name=name)


class GuaranteeConst(Passing):
    """The same tensor, of which the user says that it never changes."""

    T = None
    vjp = no_derivative


def guarantee_const(input: Any, name: str | None = None) -> Any:
    """The same tensor; what is promised, that it never changes, nobody relies on.

    No gradient goes through it.

    input: a tensor of any shape and dtype, which the result has.

    >>> tf.guarantee_const(tf.constant([1, 2])).numpy()
    array([1, 2], dtype=int32)

    Raises:
        ValueError: the operand is nothing that a tensor can hold.
    """
    return bind(GuaranteeConst, input, name=name)


class PlaceholderWithDefault(Passing):
    """The input, unless a session is given another value of `shape`."""

    may_be_fed = True
    input = In("dtype ...")
    output = Out("dtype ...")
    shape = Attr()
    dtype = ANY
    T = None

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape, self.input.dtype)

    def vjp(self, doutput: Any) -> Any:
        return doutput


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Any:
    """`input`, where a session is given no other value for what this returns.

    shape: what all such values have in common; None stands for sizes that may differ.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     rate = tf.compat.v1.placeholder_with_default(0.5, [])
    ...     print(session.run(rate), session.run(rate, {rate: 0.1}))
    0.5 0.1

    Raises:
        ValueError: `input` does not have this shape.
    """
    value, wanted = as_tensor(input), as_shape(shape)
    if not wanted.is_compatible_with(value.shape):
        raise ShapeMismatchError(f"the default has the shape {value.shape}, which is not {wanted}")
    return bind(PlaceholderWithDefault, value, shape=wanted, name=name)


class Snapshot(Passing):
    """The value that the input has now."""

    def vjp(self, doutput: Any) -> Any:
        return doutput


class StopGradient(Passing):
    """The input, as something that does not depend on anything: no gradient passes through it.

    input: a tensor of any shape and dtype, which the result has.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> float(tape.gradient(y, x))
    3.0

    Raises:
        ValueError: the operand is nothing that a tensor can hold.
    """

    def vjp(self, doutput: Any) -> Any:
        return None


stop_gradient = api(StopGradient)


class PreventGradient(Passing):
    """The input, whose gradient must not be asked for."""

    message = Attr("")

    def vjp(self, doutput: Any) -> Any:
        raise LookupError(f"Gradient explicitly disabled. Reason: {self.message!r}")


class IdentityN(Op):
    """All inputs again."""

    input = In("[T]")
    output = Out("[T]")
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        if not self.input:
            refuse(InvalidArgumentError, "IdentityN: one tensor at least is wanted, got none")

    def infer(self) -> Any:
        return tuple(known.spec for known in self.input)

    def eager(self, np: Any) -> Any:
        return tuple(self.input)

    def lower(self, loops: Any) -> Any:
        return tuple(self.input)

    def vjp(self, *doutputs: Any) -> Any:
        return (list(doutputs),)


@dispatchable
def identity_n(input: Any, name: str | None = None) -> Any:
    """A list of tensors again, of any shapes and dtypes.

    >>> [one.numpy().tolist() for one in tf.identity_n([[1, 2], 3.5])]
    [[1, 2], 3.5]

    Raises:
        TypeError: `input` is no list.
        InvalidArgumentError: it is empty.
    """
    return list(bind(IdentityN, [as_tensor(one) for one in input], name=name))


class EnsureShape(Passing):
    """The input, after a check that it has `shape` (a TensorShape).

    Raises:
        InvalidArgumentError: it has another one.
    """

    shape = Attr()

    def demands(self, sizes: Any) -> None:
        if self.shape.entries is None:
            return
        given, wanted, shown = sizes.shape(self.input), self.shape.entries, str(self.shape)
        message = "EnsureShape: Shape of tensor {} is not compatible with expected shape {}."
        fits = len(given) == len(wanted)
        sizes.require(fits, ShapeMismatchError, message, given, shown)
        for size, want in zip(given, wanted, strict=True):
            if want is not None:
                fits = sizes.equal(size, want)
                sizes.require(fits, ShapeMismatchError, message, given, shown)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape.merge_with(self.shape), self.input.dtype)

    def eager(self, np: Any) -> Any:
        return self.input

    def lower(self, loops: Any) -> Any:
        return self.input

    def vjp(self, doutput: Any) -> Any:
        return doutput


@dispatchable
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """`x`, of any dtype, checked to have `shape` (None: any size), which is from now on known.

    >>> tf.ensure_shape([[1, 2, 3]], [None, 3]).numpy()
    array([[1, 2, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: it has another shape (also a ValueError).
    """
    return bind(EnsureShape, x, shape=as_shape(shape), name=name)


class NoOp(Op):
    """Nothing; control dependencies may hang on it."""

    effects = (World.CHECKS,)
    xla = as_eager

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        return ()

    def lower(self, loops: Any) -> tuple[()]:
        return ()


@dispatchable
def no_op(name: str | None = None) -> Any:
    """Does nothing: None; in a trace, the operation, for control dependencies to hang on.

    >>> print(tf.no_op())
    None

    Raises:
        ValueError: a graph can have no operation of this name.
    """
    return bind(NoOp, name=name)
