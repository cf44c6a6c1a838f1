"""Distributions around a place: normal, Laplace, Student's t, and the uniform one."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...core.dtypes import int32
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies, name_scope
from ...ops.array.broadcasting import broadcast_to
from ...ops.array.concatenation import stack
from ...ops.array.fill import ones_like, zeros_like
from ...ops.array.select import where
from ...ops.checks.assertions import Assert
from ...ops.control.flow import identity
from ...ops.math.arithmetic import maximum, square
from ...ops.math.comparison import is_nan, logical_or
from ...ops.math.elementwise import erfc, exp, log, log1p, sqrt
from ...ops.math.gamma_functions import betainc, digamma, lbeta, lgamma
from ...ops.math.reduce import reduce_all
from ...ops.math.signs import abs as absolute
from ...ops.math.signs import sign
from ...ops.math.special import ndtri
from ...ops.random.gamma_and_poisson import gamma
from ...ops.random.uniform_and_normal import normal, uniform
from ..functions.assertions import assert_less, assert_positive
from .distribution import FULLY_REPARAMETERIZED, OfNumbers, of_one_dtype
from .divergences import RegisterKL
from .seeds import another_seed

HALF_LOG_TAU: Final = 0.5 * math.log(2.0 * math.pi)


class AroundMean(OfNumbers):
    """Abstract: numbers around `loc`, at distances that are multiples of `scale`."""

    scale: Any

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any],
        name: str,
    ) -> None:
        with name_scope(name):
            self._loc, self._scale = self._given = of_one_dtype(loc, scale)
        super().__init__(
            self._loc.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            self._given, name,
        )  # fmt: skip
        self._scale = self._checked(self._scale, assert_positive)
        self._given = self._loc, self._scale

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {one: convert_to_tensor(sample_shape, int32) for one in ("loc", "scale")}

    @property
    def loc(self) -> Any:
        """The mean."""
        return self._loc

    def _z(self, x: Any) -> Any:
        return (x - self.loc) / self.scale


class NormalDistribution(AroundMean):
    """Normal numbers around `loc`, with the standard deviation `scale`.

    >>> tf.compat.v1.distributions.Normal(1.0, [1.0, 2.0]).variance().numpy()
    array([1., 4.], dtype=float32)

    Raises:
        ValueError: parameters are not floats, or of several dtypes.
        InvalidArgumentError: `scale` is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Normal",
    ) -> None:
        super().__init__(loc, scale, validate_args, allow_nan_stats, dict(locals()), name)

    @property
    def scale(self) -> Any:
        """The standard deviation."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        drawn = normal(self._sizes(n), dtype=self.dtype, seed=seed)
        return drawn * self.scale + self.loc

    def _log_prob(self, x: Any) -> Any:
        return -0.5 * square(self._z(x)) - (HALF_LOG_TAU + log(self.scale))

    def _cdf(self, x: Any) -> Any:
        return _below(self._z(x))

    def _log_cdf(self, x: Any) -> Any:
        return _log_below(self._z(x))

    def _survival_function(self, x: Any) -> Any:
        return _below(-self._z(x))

    def _log_survival_function(self, x: Any) -> Any:
        return _log_below(-self._z(x))

    def _quantile(self, p: Any) -> Any:
        return ndtri(p) * self.scale + self.loc

    def _entropy(self) -> Any:
        return HALF_LOG_TAU + 0.5 + log(self.scale * ones_like(self.loc))

    def _mean(self) -> Any:
        return self.loc * ones_like(self.scale)

    def _stddev(self) -> Any:
        return self.scale * ones_like(self.loc)

    def _mode(self) -> Any:
        return self._mean()


def _below(z: Any) -> Any:
    """The probability of a normal number below this."""
    return 0.5 * erfc(z * -math.sqrt(0.5))


def _log_below(z: Any) -> Any:
    """Its logarithm, by an asymptotic series where it is too small to be a number."""
    edge, terms = (-10.0, 3) if z.dtype.size <= 4 else (-20.0, 3)
    far = z < edge
    tail = where(far, z, edge * ones_like(z))
    total, term = ones_like(z), ones_like(z)
    for k in range(terms):
        term = term * -(2 * k + 1) / square(tail)
        total += term
    series = -0.5 * square(tail) - log(-tail) - HALF_LOG_TAU + log(total)
    near = log(_below(maximum(z, edge)))
    near = where(z > -edge / 2, -_below(-z), near)
    return where(far, series, near)


@RegisterKL(NormalDistribution, NormalDistribution)
def _between_normals(a: Any, b: Any, name: str | None = None) -> Any:
    ratio = square(a.scale / b.scale)
    return square(a.loc - b.loc) / (2.0 * square(b.scale)) + 0.5 * (ratio - 1.0 - log(ratio))


class LaplaceDistribution(AroundMean):
    """Numbers around `loc` whose distance from it is exponential, with the mean `scale`.

    >>> tf.compat.v1.distributions.Laplace(1.0, 2.0).mode().numpy()
    np.float32(1.0)

    Raises:
        ValueError: parameters are not floats, or of several dtypes.
        InvalidArgumentError: `scale` is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Laplace",
    ) -> None:
        super().__init__(loc, scale, validate_args, allow_nan_stats, dict(locals()), name)

    @property
    def scale(self) -> Any:
        """The mean distance."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        lowest = np.nextafter(*np.array([-1, 0], self.loc.dtype.storage))
        drawn = uniform(self._sizes(n), lowest, 1.0, self.dtype, seed)
        return self.loc - self.scale * sign(drawn) * log1p(-absolute(drawn))

    def _log_prob(self, x: Any) -> Any:
        return -absolute(self._z(x)) - math.log(2.0) - log(self.scale)

    def _cdf(self, x: Any) -> Any:
        z = self._z(x)
        return 0.5 + 0.5 * sign(z) * (1.0 - exp(-absolute(z)))

    def _log_cdf(self, x: Any) -> Any:
        return _log_below_laplace(self._z(x))

    def _log_survival_function(self, x: Any) -> Any:
        return _log_below_laplace(-self._z(x))

    def _entropy(self) -> Any:
        return math.log(2.0) + 1.0 + log(self._stddev() / math.sqrt(2.0))

    def _mean(self) -> Any:
        return self.loc + zeros_like(self.scale)

    def _stddev(self) -> Any:
        return math.sqrt(2.0) * (self.scale + zeros_like(self.loc))

    def _mode(self) -> Any:
        return self._mean()


def _log_below_laplace(z: Any) -> Any:
    above = log1p(-0.5 * exp(-absolute(z)))
    return where(z > 0, above, -math.log(2.0) - absolute(z))


class StudentTDistribution(OfNumbers):
    """Student's t with `df` degrees of freedom, times `scale`, plus `loc`.

    The mean is nan for `df` <= 1, the variance infinite for `df` <= 2.

    >>> tf.compat.v1.distributions.StudentT(3.0, 0.0, 1.0).variance().numpy().round(3)
    np.float32(3.0)

    Raises:
        ValueError: parameters are not floats, or of several dtypes.
        InvalidArgumentError: `df` or `scale` is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentT",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._df, self._loc, self._scale = self._given = of_one_dtype(df, loc, scale)
        super().__init__(
            self._df.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            self._given, name,
        )  # fmt: skip
        self._df = self._checked(self._df, assert_positive)
        self._scale = self._checked(self._scale, assert_positive)
        self._given = self._df, self._loc, self._scale

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {one: convert_to_tensor(sample_shape, int32) for one in ("df", "loc", "scale")}

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self._df

    @property
    def loc(self) -> Any:
        """What it lies around."""
        return self._loc

    @property
    def scale(self) -> Any:
        """How wide it is; not its standard deviation."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        drawn = normal(self._sizes(n), dtype=self.dtype, seed=seed)
        df = self.df * broadcast_to(ones_like(self.df), self.batch_shape_tensor())
        half = 0.5 * ones_like(df)
        power = gamma([n], 0.5 * df, half, self.dtype, another_seed(seed, "student_t"))
        return drawn / sqrt(power / df) * self.scale + self.loc

    def _z(self, x: Any) -> Any:
        return (x - self.loc) / self.scale

    def _log_norm(self) -> Any:
        return (
            log(absolute(self.scale)) + 0.5 * log(self.df) + 0.5 * math.log(math.pi)
            + lgamma(0.5 * self.df) - lgamma(0.5 * (self.df + 1.0))
        )  # fmt: skip

    def _log_prob(self, x: Any) -> Any:
        return -0.5 * (self.df + 1.0) * log1p(square(self._z(x)) / self.df) - self._log_norm()

    def _cdf(self, x: Any) -> Any:
        z = self._z(x)
        outside = 0.5 * betainc(*_alike(0.5 * self.df, 0.5, self.df / (square(z) + self.df)))
        return where(z < 0.0, outside, 1.0 - outside)

    def _entropy(self) -> Any:
        v = ones_like(self._ones()) * self.df
        halves = 0.5 * v
        return (
            log(absolute(self.scale)) + 0.5 * log(v)
            + lbeta(_pairs(halves, 0.5 * ones_like(v)))
            + 0.5 * (v + 1.0) * (digamma(0.5 * (v + 1.0)) - digamma(halves))
        )  # fmt: skip

    def _ones(self) -> Any:
        return ones_like(self.df) * ones_like(self.loc) * ones_like(self.scale)

    def _mean(self) -> Any:
        mean = self.loc * self._ones()
        return self._defined(mean, self.df * self._ones() > 1.0, "mean")

    def _variance(self) -> Any:
        df = self.df * self._ones()
        finite = where(df > 2.0, df - 2.0, ones_like(df))
        variance = square(self.scale) * df / finite
        variance = where(df > 2.0, variance, math.inf * ones_like(df))
        return self._defined(variance, df > 1.0, "variance")

    def _defined(self, value: Any, there: Any, what: str) -> Any:
        if self.allow_nan_stats:
            return where(there, value, math.nan * ones_like(value))
        message = f"{what} not defined for components of df <= 1"
        return _require(value, there, message)

    def _mode(self) -> Any:
        return self.loc


def _require(value: Any, there: Any, message: str) -> Any:
    right = Assert(reduce_all(there), [message])
    with control_dependencies([right] if right is not None else []):
        return identity(value)


def _alike(*given: Any) -> list[Any]:
    """Operands broadcast to one shape."""
    tensors = [convert_to_tensor(one, given[-1].dtype) for one in given]
    ones = ones_like(tensors[0])
    for one in tensors[1:]:
        ones = ones * ones_like(one)
    return [one * ones for one in tensors]


def _pairs(a: Any, b: Any) -> Any:
    return stack([a, b], -1)


class UniformDistribution(OfNumbers):
    """Numbers in [low, high), each as probable as another.

    >>> tf.compat.v1.distributions.Uniform(1.0, 3.0).mean().numpy()
    np.float32(2.0)

    Raises:
        ValueError: parameters are not floats, or of several dtypes.
        InvalidArgumentError: `low` is not below `high`, and `validate_args`.
    """

    def __init__(
        self,
        low: Any = 0.0,
        high: Any = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Uniform",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._low, self._high = self._given = of_one_dtype(low, high)
        super().__init__(
            self._low.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            self._given, name,
        )  # fmt: skip
        message = "uniform not defined when low >= high."
        self._low = self._checked(
            self._low, lambda low: assert_less(low, self._high, message=message)
        )
        self._given = self._low, self._high

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {one: convert_to_tensor(sample_shape, int32) for one in ("low", "high")}

    @property
    def low(self) -> Any:
        """The least number."""
        return self._low

    @property
    def high(self) -> Any:
        """What all are below."""
        return self._high

    def range(self, name: str = "range") -> Any:
        """`high - low`."""
        with self._scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        return self.low + self.range() * uniform(self._sizes(n), dtype=self.dtype, seed=seed)

    def _prob(self, x: Any) -> Any:
        wide = x * ones_like(self.low * self.high)
        outside = logical_or(wide < self.low, wide >= self.high)
        inside = where(outside, zeros_like(wide), ones_like(wide) / self.range())
        return where(is_nan(wide), wide, inside)

    def _cdf(self, x: Any) -> Any:
        wide = x * ones_like(self.low * self.high)
        zeros = zeros_like(wide)
        above = where(wide >= self.high, ones_like(wide), (wide - self.low) / self.range())
        return where(wide < self.low, zeros, above)

    def _entropy(self) -> Any:
        return log(self.range())

    def _mean(self) -> Any:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Any:
        return square(self.range()) / 12.0

    def _stddev(self) -> Any:
        return self.range() / math.sqrt(12.0)
