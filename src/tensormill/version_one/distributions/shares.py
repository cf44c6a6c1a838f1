"""Distributions of shares that add up to 1, and of counts of classes with such shares."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtypes import int32
from ...core.shapes import TensorShape
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies, name_scope
from ...ops.array.concatenation import concat
from ...ops.array.fill import ones_like, zeros
from ...ops.array.select import where
from ...ops.array.shapes import reshape, shape
from ...ops.control.flow import identity
from ...ops.linalg.diagonals import set_diag
from ...ops.math.cast import cast
from ...ops.math.elementwise import log, xlogy
from ...ops.math.gamma_functions import digamma, lbeta
from ...ops.math.reduce import reduce_all, reduce_sum
from ...ops.random.gamma_and_poisson import gamma
from ..functions.assertions import assert_less, assert_near, assert_non_negative, assert_positive
from .classes import OfCounts, covariance_of
from .distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, of_one_dtype
from .divergences import RegisterKL
from .seeds import another_seed


class DirichletDistribution(Distribution):
    """Shares of classes, which add up to 1, around concentration / sum(concentration).

    >>> tf.compat.v1.distributions.Dirichlet([1.0, 3.0]).mean().numpy()
    array([0.25, 0.75], dtype=float32)

    Raises:
        InvalidArgumentError: a concentration is not above 0, and `validate_args`.
    """

    def __init__(
        self,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Dirichlet",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            (self._concentration,) = of_one_dtype(concentration)
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, (self._concentration,), name,
        )  # fmt: skip
        self._concentration = self._checked(self._concentration, assert_positive)
        self._total = reduce_sum(self._concentration, -1)

    @property
    def concentration(self) -> Any:
        """What pulls towards each class."""
        return self._concentration

    @property
    def total_concentration(self) -> Any:
        """The sum of all."""
        return self._total

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.shape

    def _batch_shape_tensor(self) -> Any:
        return shape(self.total_concentration)

    def _event_shape(self) -> TensorShape:
        return self.concentration.shape[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self.concentration)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        drawn = gamma([n], self.concentration, dtype=self.dtype, seed=seed)
        return drawn / reduce_sum(drawn, -1, keepdims=True)

    def _shares(self, x: Any) -> Any:
        one = convert_to_tensor(1.0, self.dtype)
        return self._checked(
            x,
            assert_positive,
            lambda each: assert_near(
                one, reduce_sum(each, -1), message="sample last-dimension must sum to `1`"
            ),
        )

    def _log_prob(self, x: Any) -> Any:
        x = self._shares(x)
        return reduce_sum(xlogy(self.concentration - 1.0, x), -1) - lbeta(self.concentration)

    def _entropy(self) -> Any:
        size = cast(shape(self.concentration)[-1], self.dtype)
        a, total = self.concentration, self.total_concentration
        return (
            lbeta(a) + (total - size) * digamma(total)
            - reduce_sum((a - 1.0) * digamma(a), -1)
        )  # fmt: skip

    def _mean(self) -> Any:
        return self.concentration / self.total_concentration[..., None]

    def _variance(self) -> Any:
        mean = self._mean()
        return mean * (1.0 - mean) / (1.0 + self.total_concentration[..., None])

    def _covariance(self) -> Any:
        return covariance_of(self._mean(), self._variance(), 1.0 + self.total_concentration)

    def _mode(self) -> Any:
        size = cast(shape(self.concentration)[-1], self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., None] - size)
        if self.allow_nan_stats:
            there = reduce_all(self.concentration > 1.0, -1, keepdims=True)
            return where(there, mode, math.nan * ones_like(mode))
        one = convert_to_tensor(1.0, self.dtype)
        message = "Mode undefined when any concentration <= 1"
        right = assert_less(one, self.concentration, message=message)
        with control_dependencies([right] if right is not None else []):
            return identity(mode)


@RegisterKL(DirichletDistribution, DirichletDistribution)
def _between_dirichlets(a: Any, b: Any, name: str | None = None) -> Any:
    mean_log = digamma(a.concentration) - digamma(a.total_concentration)[..., None]
    apart = reduce_sum((a.concentration - b.concentration) * mean_log, -1)
    return apart - lbeta(a.concentration) + lbeta(b.concentration)


class DirichletMultinomialDistribution(OfCounts):
    """Counts of `total_count` draws of classes whose probabilities are Dirichlet distributed.

    >>> d = tf.compat.v1.distributions.DirichletMultinomial(4.0, [1.0, 3.0])
    >>> d.mean().numpy()
    array([1., 3.], dtype=float32)

    Raises:
        InvalidArgumentError: a concentration is not above 0, or no count, and `validate_args`.
    """

    def __init__(
        self,
        total_count: Any,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            (self._count,) = of_one_dtype(total_count)
            (self._concentration,) = of_one_dtype(concentration)
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats,
            parameters, (self._count, self._concentration), name,
        )  # fmt: skip
        self._count = self._checked(self._count, assert_non_negative)
        self._concentration = self._checked(self._concentration, assert_positive)
        self._total = reduce_sum(self._concentration, -1)

    @property
    def concentration(self) -> Any:
        """What pulls towards each class."""
        return self._concentration

    @property
    def total_concentration(self) -> Any:
        """The sum of all."""
        return self._total

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.shape

    def _batch_shape_tensor(self) -> Any:
        return shape(self.total_concentration)

    def _event_shape(self) -> TensorShape:
        return self.concentration.shape[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self.concentration)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        sizes = shape(self.concentration)
        many = concat([[n], sizes], 0)
        shares = gamma([n], self.concentration, dtype=self.dtype, seed=seed)
        counts = cast(self.total_count * ones_like(self.total_concentration), int32)
        draws = counts + zeros(many[:-1], int32)
        rows = reshape(log(shares), [-1, sizes[-1]])
        other = another_seed(seed, "dirichlet_multinomial")
        return reshape(self._drawn(rows, reshape(draws, [-1]), other), many)

    def _log_prob(self, counts: Any) -> Any:
        counts = self._counts(counts)
        more = lbeta(self.concentration + counts) - lbeta(self.concentration)
        return more + self._log_ways(counts)

    def _mean(self) -> Any:
        return self._shares() * self.total_count[..., None]

    def _shares(self) -> Any:
        return self.concentration / self.total_concentration[..., None]

    def _wider(self) -> Any:
        """How many times the variance of a multinomial distribution it has."""
        total = self.total_concentration
        return (self.total_count + total) / (1.0 + total)

    def _variance(self) -> Any:
        mean = self._mean()
        return mean * (1.0 - self._shares()) * self._wider()[..., None]

    def _covariance(self) -> Any:
        scaled = self._shares() * ones_like(self._mean())
        off = -self._mean()[..., None] * scaled[..., None, :] * self._wider()[..., None, None]
        return set_diag(off, self._variance())
