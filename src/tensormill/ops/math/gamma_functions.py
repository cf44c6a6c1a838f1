"""Gamma and beta functions, incomplete ones and derivatives, zeta."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.native_operations import FEW, SLOW
from ...core.shapes import broadcast_shapes
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.broadcasting import unbroadcast
from ..array.fill import zeros_like
from ..bind import api, bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..families import Unary
from ..op import FLOATS, In, Op, Out, types
from ..scalar import NUMPY, by_scipy, zeta_with_poles
from ..underivable import no_derivative
from .cast import cast
from .elementwise import exp, log1p, xlogy
from .gamma_derivatives import by_shape_over_density
from .reduce import reduce_sum

if TYPE_CHECKING:
    from ..results import Tensor

# Operands above it would take twice as many steps of a series, and have a formula.
MANY_STEPS = 1e5


class Digamma(Unary):
    """The derivative of lgamma; NaN at 0, -1, -2, ... Floats of any shape.

    >>> tf.math.digamma([1.0, 2.0, -1.0]).numpy().round(3)
    array([-0.577,  0.423,    nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = SLOW

    T = FLOATS

    def scalar(s: Any, x):
        return s.digamma(x)

    def vjp(self, dy: Any) -> Any:
        return dy * polygamma(as_tensor(1, dy.dtype), self.x)


digamma = api(Digamma)


class Lgamma(Unary):
    """The logarithm of the absolute value of the gamma function; inf at 0, -1, -2, ... Floats of
    any shape.

    >>> tf.math.lgamma([1.0, 5.0, -1.0]).numpy().round(3)
    array([0.   , 3.178,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    native_from = SLOW

    T = FLOATS

    def scalar(s: Any, x):
        return s.lgamma(x)

    def vjp(self, dy: Any) -> Any:
        return dy * digamma(self.x)


lgamma = api(Lgamma)


class OfTwo(Op, abstract=True):
    """A function of two numbers each; shapes broadcast."""

    a = In("T ...")
    x = In("T ...")
    z = Out("T ...")
    T = types("f32 f64 f16 bf16")

    def infer(self) -> TensorSpec:
        return TensorSpec(broadcast_shapes(self.a.shape, self.x.shape), self.a.dtype)


def broadcast(loops: Any, *operands: Any) -> list[Any]:
    """Operands of compiled code in their common shape."""
    shape = loops.broadcast_shape(*[one.shape for one in operands])
    return [loops.kept(loops.broadcast(one, shape)) for one in operands]


def by_scipy_in_f64(name: str, *operands: Any) -> Any:
    """A function of scipy.special, which is off by many float32 where it computes in them; what is
    narrower is rounded twice, as compiled.
    """
    wide = by_scipy(name, *[one.astype("float64") for one in operands])
    return wide if operands[0].dtype.itemsize == 8 else wide.astype("float32")


def by_scipys_loop(loops: Any, name: str, operands: Any, value: Any) -> Any:
    """`value(s, found, *operands)` of each element, where `found` is SciPy's."""
    given = broadcast(loops, *operands)
    (found,) = loops.special(name, *given)
    return loops.map(
        found.shape, found.dtype,
        lambda *at: value(loops.scalars, found[at], *[one[at] for one in given]),
    )  # fmt: skip


def gamma_density(a: Any, x: Any) -> Any:
    """x^(a-1) e^-x / gamma(a). What large terms leave of each other, few digits do not hold."""
    a, precise = cast(a, dtypes.float64), cast(x, dtypes.float64)
    return cast(exp(xlogy(a - 1.0, precise) - precise - lgamma(a)), x.dtype)


class Igamma(OfTwo):
    """The lower incomplete gamma function P(a, x): the integral of t^(a-1) e^-t from 0 to x,
    divided by gamma(a). Floats, shapes broadcast. 0 where x is 0; else NaN where a is not
    positive or x is negative.

    >>> tf.math.igamma([1.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([0.   , 0.594], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = FEW

    def eager(self, np: Any) -> Any:
        a, x = self.a, self.x
        wrong = ((a <= 0) | (x < 0)) & (x != 0)
        found = np.where(wrong, np.nan, np.where(x == 0, 0, by_scipy_in_f64("gammainc", a, x)))
        return found.astype(a.dtype)

    def xla(self, xla: Any) -> Any:
        np, (a, x) = xla.np, xla.wide(self.a, self.x)
        wrong = ((a <= 0) | (x < 0)) & (x != 0)
        found = np.where(wrong, np.nan, np.where(x == 0, 0, xla.lax.igamma(a, x)))
        return found.astype(self.a.dtype)

    def lower(self, loops: Any) -> Any:
        def value(s: Any, found: Any, a: Any, x: Any) -> Any:
            wrong = ((a <= 0) | (x < 0)) & (x != 0)
            right = s.where(x == 0, s.constant(0, x), found)
            return s.where(wrong, s.constant(math.nan, x), right)

        return by_scipys_loop(loops, "gammainc", (self.a, self.x), value)

    def vjp(self, dz: Any) -> Any:
        a, x = self.a, self.x
        return (
            lambda: unbroadcast(dz * bind(IgammaGradA, a, x), a, x),
            lambda: unbroadcast(dz * gamma_density(a, x), x, a),
        )


igamma = api(Igamma)


class Igammac(OfTwo):
    """The upper incomplete gamma function Q(a, x) = 1 - P(a, x), exact where it is small. Floats,
    shapes broadcast. NaN where a is not positive (or NaN) or x is negative.

    >>> tf.math.igammac([1.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([1.   , 0.406], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = FEW

    def eager(self, np: Any) -> Any:
        a, x = self.a, self.x
        wrong = (a <= 0) | (a != a) | (x < 0)
        found = np.where(wrong, np.nan, np.where(x == 0, 1, by_scipy_in_f64("gammaincc", a, x)))
        return found.astype(a.dtype)

    def xla(self, xla: Any) -> Any:
        np, (a, x) = xla.np, xla.wide(self.a, self.x)
        wrong = (a <= 0) | (a != a) | (x < 0)
        found = np.where(wrong, np.nan, np.where(x == 0, 1, xla.lax.igammac(a, x)))
        return found.astype(self.a.dtype)

    def lower(self, loops: Any) -> Any:
        def value(s: Any, found: Any, a: Any, x: Any) -> Any:
            right = s.where(x == 0, s.constant(1, x), found)
            wrong = (a <= 0) | (a != a) | (x < 0)
            return s.where(wrong, s.constant(math.nan, x), right)

        return by_scipys_loop(loops, "gammaincc", (self.a, self.x), value)

    def vjp(self, dz: Any) -> Any:
        a, x = self.a, self.x
        return (
            lambda: unbroadcast(-dz * bind(IgammaGradA, a, x), a, x),
            lambda: unbroadcast(-dz * gamma_density(a, x), x, a),
        )


igammac = api(Igammac)


class IgammaGradA(OfTwo):
    """The derivative of P(a, x) by a."""

    T = types("f32 f64")
    native_from = SLOW  # NumPy takes some 0.1 ms for each, which needs up to 1e5 steps
    vjp = no_derivative

    def eager(self, np: Any) -> Any:
        return by_shape(np, self.a, self.x).astype(self.a.dtype)

    def xla(self, xla: Any) -> Any:
        a, x = xla.wide(self.a, self.x)
        return xla.np.where(x == 0, 0.0, xla.lax.igamma_grad_a(a, x)).astype(self.a.dtype)

    def lower(self, loops: Any) -> Any:
        return by_native_slope(loops, self.a, self.x, by_shape_of_one)


class RandomGammaGrad(Op):
    """The derivative of gamma distributed numbers by their shape parameter alpha; 0 for numbers
    that are 0, as small ones become.
    """

    native_from = SLOW  # NumPy takes some 0.1 ms for each, which needs up to 1e5 steps
    alpha = In("T ...")
    sample = In("T ...")
    output = Out("T ...")
    T = types("f32 f64")
    vjp = no_derivative

    def infer(self) -> TensorSpec:
        return TensorSpec(broadcast_shapes(self.alpha.shape, self.sample.shape), self.alpha.dtype)

    def eager(self, np: Any) -> Any:
        alpha, x = self.alpha.astype(np.float64), self.sample.astype(np.float64)
        with np.errstate(all="ignore"):
            is_large, defined = alpha > MANY_STEPS, (alpha > 0) & (x > 0) & np.isfinite(x)
            is_plain = defined & ~is_large & (x <= 1e6)
            a, sample = np.where(is_plain, alpha, 1.0), np.where(is_plain, x, 1.0)
            found = np.where(is_plain, -by_shape_over_density(a, sample), by_cube_root(alpha, x))
            found = np.where(defined, found, np.where(x == 0, 0.0, np.nan))
            return found.astype(self.alpha.dtype)

    def xla(self, xla: Any) -> Any:
        np, (alpha, x) = xla.np, xla.wide(self.alpha, self.sample)
        defined = (alpha > 0) & (x > 0) & np.isfinite(x)
        found = xla.lax.random_gamma_grad(np.where(defined, alpha, 1.0), np.where(defined, x, 1.0))
        found = np.where(defined, found, np.where(x == 0, 0.0, np.nan))
        return found.astype(self.alpha.dtype)

    def lower(self, loops: Any) -> Any:
        return by_native_slope(loops, self.alpha, self.sample, draw_by_shape)


def by_native_slope(loops: Any, a: Any, x: Any, value: Any) -> Any:
    """`value(s, slope, a, x)` in f64, where `slope` is by_shape_over_density(a, x)."""
    a, x = broadcast(loops, a, x)
    (slope,) = loops.special("gamma_by_shape", a, x)

    def element(*at: Any) -> Any:
        s = loops.scalars
        wide = [s.cast(one[at], dtypes.float64) for one in (slope, a, x)]
        return s.cast(value(s, *wide), a.dtype)

    return loops.map(a.shape, a.dtype, element)


def draw_by_shape(s: Any, slope: Any, a: Any, x: Any) -> Any:
    """What `RandomGammaGrad.eager` says of one number."""
    is_plain = (a <= MANY_STEPS) & (x <= 1e6)
    found = s.where(is_plain, -slope, cube_root_of_one(s, a, x))
    rest = s.where(x == 0, s.constant(0, x), s.constant(math.nan, x))
    return s.where((a > 0) & (x > 0) & (x < math.inf), found, rest)


def cube_root_of_one(s: Any, a: Any, x: Any) -> Any:
    """What `by_cube_root` says of one number."""
    root = s.pow(x / a, s.constant(1 / 3, x))
    return root * root * (root + (s.constant(1, x) / (a * 6) - (root - 1) * 1.5))


def by_shape_of_one(s: Any, slope: Any, a: Any, x: Any) -> Any:
    """What `by_shape` says of one number."""
    zero, is_large = s.constant(0, x), (a > MANY_STEPS) | (x > MANY_STEPS)
    density = s.exp((a - 1) * s.log(x) - x - s.lgamma(a))
    apart = (x - a) / a
    rise = a * (s.log1p(apart) - apart) + s.log(a * (0.5 / math.pi)) * 0.5 - s.log(x)
    of_large = s.exp(rise)
    far = s.where(of_large > 0, -of_large * cube_root_of_one(s, a, x), zero)
    found = s.where(is_large, far, s.where(x > 0, slope * density, zero))
    wrong = (a <= 0) | (x < 0) | s.is_nan(a) | s.is_nan(x) | (a == math.inf) | (x == math.inf)
    return s.where(x == 0, zero, s.where(wrong, s.constant(math.nan, x), found))


def by_cube_root(alpha: Any, x: Any) -> Any:
    """The derivative of gamma distributed numbers by a large alpha: the cube root of x / alpha is
    as good as normal (Wilson and Hilferty 1931).
    """
    root = (x / alpha) ** (1 / 3)
    return root**3 + root**2 * (1 / (6 * alpha) - 1.5 * (root - 1))


def by_shape(np: Any, a: Any, x: Any) -> Any:
    """The derivative of P(a, x) by a; NaN where there is none."""
    from scipy.special import gammaln

    a, x = np.broadcast_arrays(np.float64(a), np.float64(x))
    wrong = (a <= 0) | (x < 0) | ~np.isfinite(a) | np.isnan(x)
    is_large = ~wrong & ((a > MANY_STEPS) | (x > MANY_STEPS))
    is_plain = ~wrong & ~is_large & (x > 0)
    few, sample = np.where(is_plain, a, 1.0), np.where(is_plain, x, 1.0)
    with np.errstate(all="ignore"):
        density = np.exp((few - 1) * np.log(sample) - sample - gammaln(few))
        found = np.where(is_plain, by_shape_over_density(few, sample) * density, 0.0)
        found = np.where(is_large, by_shape_of_large(np, a, x), found)
        return np.where(x == 0, 0.0, np.where(wrong, np.nan, found))


def by_shape_of_large(np: Any, a: Any, x: Any) -> Any:
    """The same where an operand is large: nothing where they are far apart."""
    with np.errstate(all="ignore"):
        apart = (x - a) / a
        logarithm = a * (np.log1p(apart) - apart) + np.log(a / (2 * np.pi)) / 2 - np.log(x)
        density = np.exp(logarithm)  # by Stirling's formula
        return np.where(density > 0, -density * by_cube_root(a, x), 0.0)


class Zeta(Op):
    """Hurwitz's zeta function: the sum of (q + k)^-x over k = 0, 1, ... x and q are both float32 or
    float64, shapes broadcast. inf where x is 1, NaN where it is less. The gradient is by q only.

    >>> tf.math.zeta([2.0, 2.0, 1.0], [1.0, 2.0, 1.0]).numpy().round(3)
    array([1.645, 0.645,   inf], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = FEW

    x = In("T ...")
    q = In("T ...")
    z = Out("T ...")
    T = types("f32 f64")
    by_element = True

    def infer(self) -> TensorSpec:
        return TensorSpec(broadcast_shapes(self.x.shape, self.q.shape), self.x.dtype)

    def eager(self, np: Any) -> Any:
        return NUMPY.zeta(self.x, self.q)

    def xla(self, xla: Any) -> Any:
        return xla.scalars.zeta(self.x, self.q)

    def lower(self, loops: Any) -> Any:
        return by_scipys_loop(loops, "zeta", (self.x, self.q), zeta_with_poles)

    def vjp(self, dz: Any) -> Any:
        """By q only, as in TensorFlow."""
        dq = -dz * self.x * zeta(self.x + 1.0, self.q)
        return None, unbroadcast(dq, self.q, self.x)


zeta = api(Zeta)


class Polygamma(OfTwo):
    """The derivative of order a of digamma(x), for whole numbers a; NaN for others. Floats, shapes
    broadcast. The gradient is by x only.

    >>> tf.math.polygamma([0.0, 1.0, 0.5], 1.0).numpy().round(3)
    array([-0.577,  1.645,    nan], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = FEW

    T = types("f32 f64")

    def eager(self, np: Any) -> Any:
        order, x = np.broadcast_arrays(self.a, self.x)
        is_order = (order >= 0) & (np.floor(order) == order)
        whole = np.where(is_order, order, 0)
        sign = np.where(whole % 2 == 0, -1, 1)
        higher = sign * by_scipy("gamma", whole + 1) * NUMPY.zeta(whole + 1, x)
        found = np.where(whole == 0, NUMPY.digamma(x), higher)
        return np.where(is_order, found, np.nan).astype(x.dtype)

    def xla(self, xla: Any) -> Any:
        np, s = xla.np, xla.scalars
        order, x = np.broadcast_arrays(self.a, self.x)
        is_order = (order >= 0) & (np.floor(order) == order)
        whole = np.where(is_order, order, 0)
        sign = np.where(whole % 2 == 0, -1, 1)
        higher = sign * np.exp(s.lgamma(whole + 1)) * s.zeta(whole + 1, x)
        found = np.where(whole == 0, s.digamma(x), higher)
        return np.where(is_order, found, np.nan).astype(x.dtype)

    def lower(self, loops: Any) -> Any:
        s, (order, x) = loops.scalars, broadcast(loops, self.a, self.x)

        def is_order(*at: Any) -> Any:
            return (order[at] >= 0) & (s.floor(order[at]) == order[at])

        def whole(*at: Any) -> Any:
            return s.where(is_order(*at), order[at], s.constant(0, order[at]))

        above = loops.kept(loops.map(x.shape, x.dtype, lambda *at: whole(*at) + 1))
        (factorials,), (sums,) = loops.special("gamma", above), loops.special("zeta", above, x)

        def value(*at: Any) -> Any:
            higher = factorials[at] * zeta_with_poles(s, sums[at], above[at], x[at])
            is_even = s.floor_modulo(whole(*at), s.constant(2, higher)) == 0
            found = s.where(whole(*at) == 0, s.digamma(x[at]), s.where(is_even, -higher, higher))
            return s.where(is_order(*at), found, s.constant(math.nan, found))

        return loops.map(x.shape, x.dtype, value)

    def vjp(self, dz: Any) -> Any:
        """By x only, as in TensorFlow."""
        dx = dz * polygamma(self.a + 1.0, self.x)
        return None, unbroadcast(dx, self.x, self.a)


polygamma = api(Polygamma)


class Betainc(Op):
    """The regularised incomplete beta function I_x(a, b). Shapes are equal, or those of scalars;
    all three are float32 or float64. NaN where a or b is not positive, or x is outside of [0,
    1]. The gradient is by x only.

    >>> tf.math.betainc(1.0, 2.0, [0.0, 0.5, 1.0]).numpy().round(3)
    array([0.  , 0.75, 1.  ], dtype=float32)

    Raises:
        InvalidArgumentError: two shapes differ, and neither is that of a scalar.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    native_from = FEW

    a = In("T ...")
    b = In("T ...")
    x = In("T ...")
    z = Out("T ...")
    T = types("f32 f64")

    def demands(self, sizes: Any) -> None:
        a, b, x = sizes.shape(self.a), sizes.shape(self.b), sizes.shape(self.x)
        for one, other in ((a, b), (a, x), (b, x)):
            if one and other:
                sizes.alike(one, other, ShapeMismatchError, INCONSISTENT)

    def infer(self) -> TensorSpec:
        shape = broadcast_shapes(self.a.shape, self.b.shape)
        return TensorSpec(broadcast_shapes(shape, self.x.shape), self.a.dtype)

    def eager(self, np: Any) -> Any:
        a, b, x = self.a, self.b, self.x
        wrong = (a <= 0) | (b <= 0) | (x < 0) | (x > 1)
        return np.where(wrong, np.nan, by_scipy_in_f64("betainc", a, b, x)).astype(x.dtype)

    def xla(self, xla: Any) -> Any:
        np, (a, b, x) = xla.np, xla.wide(self.a, self.b, self.x)
        wrong = (a <= 0) | (b <= 0) | (x < 0) | (x > 1)
        found = xla.jax.scipy.special.betainc(a, b, x)
        return np.where(wrong, np.nan, found).astype(self.x.dtype)

    def lower(self, loops: Any) -> Any:
        def value(s: Any, found: Any, a: Any, b: Any, x: Any) -> Any:
            wrong = (a <= 0) | (b <= 0) | (x < 0) | (x > 1)
            return s.where(wrong, s.constant(math.nan, x), found)

        return by_scipys_loop(loops, "betainc", (self.a, self.b, self.x), value)

    def vjp(self, dz: Any) -> Any:
        """By x only, as in TensorFlow."""
        # What large terms leave of each other, few digits do not hold.
        a, b, x = (cast(one, dtypes.float64) for one in (self.a, self.b, self.x))
        log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
        density = exp((b - 1.0) * log1p(-x) + xlogy(a - 1.0, x) - log_beta)
        return None, None, unbroadcast(dz * cast(density, dz.dtype), self.x, self.a, self.b)


betainc = api(Betainc)
INCONSISTENT = "Betainc: Shapes of a and b are inconsistent: {} vs. {}"


@dispatchable
def lbeta(x: Any, name: str | None = None) -> Any:
    """The logarithm of the beta function of each row: sum(lgamma(x)) - lgamma(sum(x)).

    x: floats, [..., n]; the result is [...]. A row [a, b] gives log B(a, b); one without elements,
    -inf.

    >>> tf.math.lbeta([[1.0, 1.0], [3.0, 1.0]]).numpy().round(3)
    array([ 0.   , -1.099], dtype=float32)

    Raises:
        InvalidArgumentError: a scalar.
        DTypeMismatchError: an integer tensor.
    """
    x = as_tensor(x)
    return reduce_sum(lgamma(x), -1) - lgamma(reduce_sum(x, -1))


@dispatchable
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """The polynomial whose coefficients, from the highest power on, are tensors in a list.

    coeffs: numbers of the dtype of `x`, of shapes that broadcast to each other and to that of `x`.
    Without coefficients, zeros.

    >>> tf.math.polyval([1, 2, 3], [0, 1, 2]).numpy()
    array([ 3,  6, 11], dtype=int32)

    Raises:
        ValueError: `coeffs` is not a list.
        ShapeMismatchError: the shapes do not broadcast.
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = as_tensor(x)
    if not coeffs:
        return zeros_like(x, name=name)
    total = as_tensor(coeffs[0])
    for coefficient in coeffs[1:]:
        total = as_tensor(coefficient) + total * x
    return total
