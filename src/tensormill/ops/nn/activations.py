"""Activation functions. The gradients of some are operations of their own, as in TensorFlow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.native_operations import MANY, SLOW
from ...errors import ConversionDTypeError
from ..bind import api, bind
from ..composed import composed
from ..dispatch.meanings import dispatchable
from ..families import Elementwise
from ..op import FLOATS, REALS, ZERO, Attr, In, Out, as_eager, as_float32, usually

if TYPE_CHECKING:
    from ..results import Tensor

# Klambauer et al. 2017, "Self-Normalizing Neural Networks": the fixed point has mean 0, variance 1.
SELU_SCALE = 1.0507009873554804934193349852946
SELU_ALPHA = 1.6732632423543772848170429916717


class Activation(Elementwise, abstract=True):
    """A function of one element."""

    features = In("T *s")
    activations = Out("T *s")
    T = FLOATS


class Relu(Activation):
    """max(x, 0), for each element. The gradient at 0 is 0.

    features: real numbers (not complex), of any shape and dtype; the result has both.

    >>> tf.nn.relu([-2, 0, 3]).numpy()
    array([0, 0, 3], dtype=int32)

    Raises:
        DTypeMismatchError: features are not real numbers.
    """

    native_from = MANY

    T = REALS

    def scalar(s: Any, x):
        return s.maximum(x, s.constant(0, x))

    def vjp(self, dy: Any) -> Any:
        return bind(ReluGrad, dy, self.activations)


relu = api(Relu)


class ActivationGrad(Elementwise, abstract=True):
    """The gradient of an activation: what arrived, and a tensor that tells the slope."""

    gradients = In("T *s")
    features = In("T *s")
    backprops = Out("T *s")
    T = FLOATS


class ActivationGradByValue(Elementwise, abstract=True):
    """The same where the activation's value tells the slope."""

    gradients = In("T *s")
    outputs_ = In("T *s")
    backprops = Out("T *s")
    T = FLOATS


def _one_where(s: Any, inside: Any, like: Any) -> Any:
    return s.where(inside, s.constant(1, like), s.constant(0, like))


class ReluGrad(ActivationGrad):
    """`gradients` times 1 where `features` is positive, 0 elsewhere: NaN stays NaN."""

    native_from = MANY

    T = REALS

    def scalar(s: Any, gradients, features):
        return gradients * _one_where(s, features > s.constant(0, features), gradients)

    def vjp(self, dz: Any) -> Any:
        return bind(ReluGrad, dz, self.features), ZERO


class Relu6(Activation):
    """min(max(x, 0), 6), for each element of real numbers.

    >>> tf.nn.relu6([-2, 3, 8]).numpy()
    array([0, 3, 6], dtype=int32)

    Raises:
        DTypeMismatchError: features are not real numbers.
    """

    native_from = MANY

    T = REALS

    def scalar(s: Any, x):
        return s.minimum(s.maximum(x, s.constant(0, x)), s.constant(6, x))

    def vjp(self, dy: Any) -> Any:
        return bind(Relu6Grad, dy, self.activations)


relu6 = api(Relu6)


class Relu6Grad(ActivationGrad):
    """`gradients` times 1 where `features` is between 0 and 6, 0 elsewhere: NaN stays NaN."""

    native_from = MANY

    T = REALS

    def scalar(s: Any, gradients, features):
        inside = (features > s.constant(0, features)) & (features < s.constant(6, features))
        return gradients * _one_where(s, inside, gradients)

    def vjp(self, dz: Any) -> Any:
        return bind(Relu6Grad, dz, self.features), ZERO


class LeakyRelu(Activation):
    """x where it is positive, alpha x elsewhere."""

    native_from = MANY

    alpha = Attr(as_float32(0.2))
    usual = usually(T="f32")
    xla = as_eager

    def eager(self, np: Any) -> Any:
        return np.where(
            self.features > 0, self.features, self.features * self.features.dtype.type(self.alpha)
        )

    def lower(self, loops: Any) -> Any:
        x, s = self.features, loops.scalars

        def element(*index: Any) -> Any:
            value = x[index]
            slope = s.constant(self.alpha, value)
            return s.where(value > s.constant(0, value), value, value * slope)

        return loops.map(x.shape, x.dtype, element)

    def vjp(self, dy: Any) -> Any:
        return bind(LeakyReluGrad, dy, self.features, alpha=self.alpha)


@dispatchable(elements=1)
def leaky_relu(features: Any, alpha: float | None = 0.2, name: str | None = None) -> Tensor:
    """x where it is positive, alpha x elsewhere.

    features: floats of any shape; the result has this shape and dtype (integers: float32).

    >>> tf.nn.leaky_relu([-2.0, 0.0, 3.0], alpha=0.25).numpy()
    array([-0.5,  0. ,  3. ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not real numbers.
        TypeError: `alpha` is no number.
    """
    from ...core.dtypes import float32
    from ..conversion import as_tensor
    from ..math.cast import cast

    features = as_tensor(features)
    if features.dtype.is_integer:
        features = cast(features, float32)
    slope = as_float32(0.2 if alpha is None else alpha)
    return bind(LeakyRelu, features, alpha=slope, name=name)


class LeakyReluGrad(ActivationGrad):
    """`gradients` where `features` is positive, alpha times them elsewhere."""

    native_from = MANY

    alpha = Attr(as_float32(0.2))
    usual = usually(T="f32")
    xla = as_eager

    def eager(self, np: Any) -> Any:
        dy = self.gradients
        return np.where(self.features > 0, dy, dy * dy.dtype.type(self.alpha))

    def lower(self, loops: Any) -> Any:
        x, dy, s = self.features, self.gradients, loops.scalars

        def element(*index: Any) -> Any:
            value, gradient = x[index], dy[index]
            slope = gradient * s.constant(self.alpha, gradient)
            return s.where(value > s.constant(0, value), gradient, slope)

        return loops.map(x.shape, x.dtype, element)

    def vjp(self, dz: Any) -> Any:
        return bind(LeakyReluGrad, dz, self.features, alpha=self.alpha), ZERO


class Elu(Activation):
    """x where it is positive, e**x - 1 elsewhere, for each element of floats.

    Clevert et al. 2015, https://arxiv.org/abs/1511.07289.

    >>> tf.nn.elu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.632,  0.   ,  2.   ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats.
    """

    native_from = SLOW

    def scalar(s: Any, x):
        zero = s.constant(0, x)
        return s.where(x < zero, s.expm1(s.minimum(x, zero)), x)  # -0.0 and NaN stay

    def vjp(self, dy: Any) -> Any:
        return bind(EluGrad, dy, self.activations)


elu = api(Elu)


class EluGrad(ActivationGradByValue):
    """The gradient of elu, told by its value."""

    native_from = MANY

    def scalar(s: Any, gradients, outputs):
        slope = outputs + s.constant(1, outputs)
        return s.where(outputs < s.constant(0, outputs), gradients * slope, gradients)

    def vjp(self, dz: Any) -> Any:
        from ..array.select import where
        from ..math.comparison import less

        def curved() -> Any:
            return where(less(self.outputs_, 0.0), dz * self.gradients, 0.0 * dz)

        return lambda: bind(EluGrad, dz, self.outputs_), curved


class Selu(Activation):
    """scale x where it is positive, scale alpha (e**x - 1) elsewhere, for each element of floats.

    scale is about 1.0507 and alpha about 1.6733 (Klambauer et al. 2017,
    https://arxiv.org/abs/1706.02515).

    >>> tf.nn.selu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-1.111,  0.   ,  2.101], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats.
    """

    native_from = MANY

    def scalar(s: Any, x):
        zero = s.constant(0, x)
        curved = s.constant(SELU_SCALE * SELU_ALPHA, x) * s.expm1(s.minimum(x, zero))
        return s.where(x < zero, curved, s.constant(SELU_SCALE, x) * x)  # -0.0 and NaN stay

    def vjp(self, dy: Any) -> Any:
        return bind(SeluGrad, dy, self.activations)


selu = api(Selu)


class SeluGrad(ActivationGradByValue):
    """The gradient of selu, told by its value."""

    native_from = MANY

    def scalar(s: Any, gradients, outputs):
        curved = gradients * (outputs + s.constant(SELU_SCALE * SELU_ALPHA, outputs))
        straight = gradients * s.constant(SELU_SCALE, gradients)
        return s.where(outputs < s.constant(0, outputs), curved, straight)

    def vjp(self, dz: Any) -> Any:
        from ..array.select import where
        from ..math.comparison import less

        def curved() -> Any:
            return where(less(self.outputs_, 0.0), dz * self.gradients, 0.0 * dz)

        return lambda: bind(SeluGrad, dz, self.outputs_), curved


class Softplus(Activation):
    """log(1 + e**x), without overflow, for each element of floats.

    >>> tf.math.softplus([-1.0, 0.0, 99.0]).numpy().round(3)
    array([ 0.313,  0.693, 99.   ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats.
    """

    native_from = MANY

    def scalar(s: Any, x):
        return s.maximum(x, s.constant(0, x)) + s.log1p(s.exp(-s.abs(x)))

    def vjp(self, dy: Any) -> Any:
        from ..math.elementwise import sigmoid

        return dy * sigmoid(self.features)


softplus = api(Softplus)


class SoftsignGrad(ActivationGrad):
    """The gradient of softsign: `gradients` / (1 + |features|)^2."""

    def scalar(s: Any, dy, x):
        divisor = s.constant(1, x) + s.abs(x)
        return dy / (divisor * divisor)

    def vjp(self, d: Any) -> Any:
        from ..math.arithmetic import square
        from ..math.signs import abs, sign

        divisor = 1.0 + abs(self.features)
        slope = -2.0 * self.gradients * sign(self.features) / (divisor * square(divisor))
        return d / square(divisor), d * slope


class Softsign(Activation):
    """x / (1 + |x|), between -1 and 1, for each element of floats.

    >>> tf.math.softsign([-3.0, 0.0, 1.0]).numpy()
    array([-0.75,  0.  ,  0.5 ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats.
    """

    native_from = MANY

    def scalar(s: Any, x):
        return x / (s.constant(1, x) + s.abs(x))

    def vjp(self, dy: Any) -> Any:
        from ..math.arithmetic import square
        from ..math.signs import abs as absolute

        return dy / square(1.0 + absolute(self.features))


softsign = api(Softsign)


@dispatchable(elements=1)
def swish(features: Any, beta: float = 1.0) -> Tensor:
    """x sigmoid(beta x), for each element.

    features: floats of any shape; the result has this shape and dtype. beta: a number or a scalar.

    >>> tf.nn.silu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.269,  0.   ,  1.762], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats, or `beta` is not of their dtype.
        ShapeMismatchError: the shapes do not broadcast.
    """
    from ..conversion import as_tensor
    from ..math.elementwise import sigmoid

    features = as_tensor(features)
    return features * sigmoid(beta * features)


silu = swish


@dispatchable(elements=1)
@composed("Gelu")
def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """x times the normal distribution's cumulative probability of x, for each element.

    features: floats of any shape; the result has this shape and dtype. approximate: use
    (1 + tanh(sqrt(2 / pi) (x + 0.044715 x**3))) / 2 as the probability (Hendrycks and Gimpel 2016,
    https://arxiv.org/abs/1606.08415).

    >>> tf.nn.gelu([-1.0, 0.0, 1.0]).numpy().round(3)
    array([-0.159,  0.   ,  0.841], dtype=float32)

    Raises:
        ConversionDTypeError (a ValueError and TypeError): features are not floats.
    """
    from ..conversion import as_tensor
    from ..math.elementwise import erfc, sigmoid

    x = as_tensor(features)
    if not x.dtype.is_floating:
        raise ConversionDTypeError(
            f"`features.dtype` must be a floating point dtype, not {x.dtype.name}; use tf.cast"
        )
    if approximate:
        # (1 + tanh(u)) / 2 = sigmoid(2u), which keeps its digits where it is small.
        return x * sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))  # 2 sqrt(2 / pi)
    # 1 + erf(x) would lose what is left of it where it is small.
    return 0.5 * x * erfc(x * -0.7071067811865476)
