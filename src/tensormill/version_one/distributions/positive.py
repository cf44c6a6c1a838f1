"""Distributions of positive numbers, and of shares: gamma, exponential, beta."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.dtypes import int32
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies, name_scope
from ...ops.array.fill import ones_like
from ...ops.array.select import where
from ...ops.control.flow import identity
from ...ops.math.arithmetic import square
from ...ops.math.comparison import logical_and
from ...ops.math.elementwise import log, log1p, sqrt, xlogy
from ...ops.math.gamma_functions import betainc, digamma, igamma, lgamma
from ...ops.random.gamma_and_poisson import gamma
from ...ops.random.uniform_and_normal import uniform
from ..functions.assertions import assert_less, assert_positive
from .distribution import FULLY_REPARAMETERIZED, OfNumbers, of_one_dtype
from .divergences import RegisterKL
from .seeds import another_seed


class _WithMode(OfNumbers):
    """The mode is there only for large enough parameters."""

    def _where_defined(self, mode: Any, parameters: list[Any], there: Any, message: str) -> Any:
        if self.allow_nan_stats:
            return where(there, mode, math.nan * ones_like(mode))
        one = convert_to_tensor(1.0, self.dtype)
        asserts = [assert_less(one, each, message=message) for each in parameters]
        with control_dependencies([each for each in asserts if each is not None]):
            return identity(mode)


class GammaDistribution(_WithMode):
    """Gamma distributed numbers: the shape parameter is `concentration`, the inverse scale `rate`.

    >>> tf.compat.v1.distributions.Gamma([1.0, 2.0], 2.0).mean().numpy()
    array([0.5, 1. ], dtype=float32)

    Raises:
        ValueError: parameters are not floats, or of several dtypes.
        InvalidArgumentError: one is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Gamma",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._concentration, self._rate = self._given = of_one_dtype(concentration, rate)
        super().__init__(
            self._rate.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            self._given, name,
        )  # fmt: skip
        self._concentration = self._checked(self._concentration, assert_positive)
        self._rate = self._checked(self._rate, assert_positive)
        self._given = self._concentration, self._rate

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {one: convert_to_tensor(sample_shape, int32) for one in ("concentration", "rate")}

    @property
    def concentration(self) -> Any:
        """The shape parameter."""
        return self._concentration

    @property
    def rate(self) -> Any:
        """The inverse scale."""
        return self._rate

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        return gamma([n], self.concentration, self.rate, self.dtype, seed)

    def _log_prob(self, x: Any) -> Any:
        x = self._checked(x, assert_positive)
        norm = lgamma(self.concentration) - self.concentration * log(self.rate)
        return xlogy(self.concentration - 1.0, x) - self.rate * x - norm

    def _cdf(self, x: Any) -> Any:
        x = self._checked(x, assert_positive)
        scaled = self.rate * x
        ones = ones_like(self.concentration) * ones_like(scaled)
        return igamma(self.concentration * ones, scaled * ones)

    def _entropy(self) -> Any:
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1.0 - a) * digamma(a)

    def _mean(self) -> Any:
        return self.concentration / self.rate

    def _variance(self) -> Any:
        return self.concentration / square(self.rate)

    def _stddev(self) -> Any:
        return sqrt(self.concentration) / self.rate

    def _mode(self) -> Any:
        mode = (self.concentration - 1.0) / self.rate
        there = self.concentration * ones_like(mode) > 1.0
        message = "mode not defined when any concentration <= 1"
        return self._where_defined(mode, [self.concentration], there, message)


@RegisterKL(GammaDistribution, GammaDistribution)
def _between_gammas(a: Any, b: Any, name: str | None = None) -> Any:
    return (
        (a.concentration - b.concentration) * digamma(a.concentration)
        + lgamma(b.concentration) - lgamma(a.concentration)
        + b.concentration * log(a.rate) - b.concentration * log(b.rate)
        + a.concentration * (b.rate / a.rate - 1.0)
    )  # fmt: skip


class ExponentialDistribution(GammaDistribution):
    """Exponentially distributed numbers of the mean 1 / `rate`.

    >>> tf.compat.v1.distributions.Exponential(2.0).mean().numpy()
    np.float32(0.5)

    Raises:
        ValueError: `rate` is no float.
        InvalidArgumentError: it is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Exponential",
    ) -> None:
        parameters = dict(locals())
        (given,) = of_one_dtype(rate)
        super().__init__(ones_like(given), given, validate_args, allow_nan_stats, name)
        del parameters["self"], parameters["__class__"]
        self._parameters.clear()
        self._parameters.update(parameters)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {"rate": convert_to_tensor(sample_shape, int32)}

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        least = np.finfo(self.rate.dtype.storage).tiny  # the logarithm of 0 would be infinite
        return -log(uniform(self._sizes(n), least, 1.0, self.dtype, seed)) / self.rate


class BetaDistribution(_WithMode):
    """Numbers in (0, 1), around concentration1 / (concentration1 + concentration0).

    >>> tf.compat.v1.distributions.Beta(1.0, [1.0, 3.0]).mean().numpy()
    array([0.5 , 0.25], dtype=float32)

    Raises:
        ValueError: parameters are not floats, or of several dtypes.
        InvalidArgumentError: one is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._a, self._b = self._given = of_one_dtype(concentration1, concentration0)
        super().__init__(
            self._a.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            self._given, name,
        )  # fmt: skip
        self._a = self._checked(self._a, assert_positive)
        self._b = self._checked(self._b, assert_positive)
        self._given = self._a, self._b
        self._total = self._a + self._b

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        names = "concentration1", "concentration0"
        return {one: convert_to_tensor(sample_shape, int32) for one in names}

    @property
    def concentration1(self) -> Any:
        """What pulls towards 1."""
        return self._a

    @property
    def concentration0(self) -> Any:
        """What pulls towards 0."""
        return self._b

    @property
    def total_concentration(self) -> Any:
        """The sum of both."""
        return self._total

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        a, b = (one * ones_like(self._total) for one in (self._a, self._b))
        first = gamma([n], a, dtype=self.dtype, seed=seed)
        second = gamma([n], b, dtype=self.dtype, seed=another_seed(seed, "beta"))
        return first / (first + second)

    def _within(self, x: Any) -> Any:
        def below_one(value: Any) -> Any:
            one = convert_to_tensor(1.0, self.dtype)
            return assert_less(value, one, message="sample must be less than `1`.")

        return self._checked(x, assert_positive, below_one)

    def _log_norm(self) -> Any:
        return lgamma(self._a) + lgamma(self._b) - lgamma(self._total)

    def _log_prob(self, x: Any) -> Any:
        x = self._within(x)
        return xlogy(self._a - 1.0, x) + (self._b - 1.0) * log1p(-x) - self._log_norm()

    def _cdf(self, x: Any) -> Any:
        return betainc(self._a, self._b, self._within(x))

    def _entropy(self) -> Any:
        return (
            self._log_norm() - (self._a - 1.0) * digamma(self._a)
            - (self._b - 1.0) * digamma(self._b) + (self._total - 2.0) * digamma(self._total)
        )  # fmt: skip

    def _mean(self) -> Any:
        return self._a / self._total

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self._total)

    def _mode(self) -> Any:
        mode = (self._a - 1.0) / (self._total - 2.0)
        ones = ones_like(mode)
        there = logical_and(self._a * ones > 1.0, self._b * ones > 1.0)
        message = "Mode undefined for concentration <= 1."
        return self._where_defined(mode, [self._a, self._b], there, message)


@RegisterKL(BetaDistribution, BetaDistribution)
def _between_betas(a: Any, b: Any, name: str | None = None) -> Any:
    return (
        b._log_norm() - a._log_norm()
        - digamma(a.concentration1) * (b.concentration1 - a.concentration1)
        - digamma(a.concentration0) * (b.concentration0 - a.concentration0)
        + digamma(a.total_concentration) * (b.total_concentration - a.total_concentration)
    )  # fmt: skip
