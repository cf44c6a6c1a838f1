"""Distributions of classes and of counts: Bernoulli, categorical, multinomial."""

from __future__ import annotations

from typing import Any

from ...control.map import map_fn
from ...core.dtypes import int32
from ...core.shapes import TensorShape
from ...eager.convert import convert_to_tensor
from ...eager.scopes import name_scope
from ...ops.array.concatenation import concat
from ...ops.array.fill import one_hot, ones_like, zeros
from ...ops.array.rearrangement import transpose
from ...ops.array.shapes import reshape, shape
from ...ops.linalg.diagonals import set_diag
from ...ops.math.cast import cast
from ...ops.math.elementwise import log, log1p, sigmoid
from ...ops.math.gamma_functions import lgamma
from ...ops.math.reduce import reduce_sum
from ...ops.math.scan import argmax, cumsum
from ...ops.nn.activations import softplus
from ...ops.nn.softmax import (
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    softmax,
    sparse_softmax_cross_entropy_with_logits,
)
from ...ops.random.categories import categorical
from ...ops.random.uniform_and_normal import uniform
from ..functions.assertions import (
    assert_equal,
    assert_less_equal,
    assert_near,
    assert_non_negative,
)
from .distribution import NOT_REPARAMETERIZED, Distribution, OfNumbers
from .divergences import RegisterKL


def logits_and_probs(
    logits: Any, probs: Any, several: bool = False, validate_args: bool = False
) -> tuple[Any, Any]:
    """Both forms of the probabilities of classes, of which one is given.

    Raises:
        ValueError: none is given, or both.
        InvalidArgumentError: something is no probability, and `validate_args`.
    """
    if (logits is None) is (probs is None):
        raise ValueError("Must pass probs or logits, but not both.")
    if probs is None:
        logits = convert_to_tensor(logits, name="logits")
        if not logits.dtype.is_floating:
            raise TypeError("logits must having floating type.")
        return logits, softmax(logits) if several else sigmoid(logits)
    probs = _probabilities(convert_to_tensor(probs, name="probs"), several, validate_args)
    return log(probs) if several else log(probs) - log1p(-probs), probs


def _probabilities(probs: Any, several: bool, validate_args: bool) -> Any:
    if not validate_args:
        return probs
    one = convert_to_tensor(1.0, probs.dtype)
    checks = Distribution(probs.dtype, NOT_REPARAMETERIZED, True, True)
    if several:
        return checks._checked(
            probs, assert_non_negative,
            lambda p: assert_near(reduce_sum(p, -1), one, message="probs does not sum to 1."),
        )  # fmt: skip
    return checks._checked(
        probs, assert_non_negative,
        lambda p: assert_less_equal(p, one, message="probs has components greater than 1."),
    )  # fmt: skip


class BernoulliDistribution(OfNumbers):
    """1 with the probability `probs`, or sigmoid(`logits`), else 0; of `dtype`.

    >>> tf.compat.v1.distributions.Bernoulli(probs=[0.25, 0.75]).mode().numpy()
    array([0, 1], dtype=int32)

    Raises:
        ValueError: none of `probs` and `logits` is given, or both.
        InvalidArgumentError: something is no probability, and `validate_args`.
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._logits, self._probs = logits_and_probs(logits, probs, False, validate_args)
        self._given = (self._logits,)
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            (self._logits, self._probs), name,
        )  # fmt: skip

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {"logits": convert_to_tensor(sample_shape, int32)}

    @property
    def logits(self) -> Any:
        """The logarithm of the odds of 1."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probability of 1."""
        return self._probs

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        drawn = uniform(self._sizes(n), dtype=self.probs.dtype, seed=seed)
        return cast(drawn < self.probs, self.dtype)

    def _log_prob(self, event: Any) -> Any:
        if self.validate_args:
            one = convert_to_tensor(1, event.dtype)
            event = self._checked(
                event, assert_non_negative, lambda each: assert_less_equal(each, one)
            )
        event = cast(event, self.logits.dtype)
        ones = ones_like(event) * ones_like(self.logits)
        return -sigmoid_cross_entropy_with_logits(event * ones, self.logits * ones)

    def _entropy(self) -> Any:
        return -self.logits * (sigmoid(self.logits) - 1.0) + softplus(-self.logits)

    def _mean(self) -> Any:
        return 1.0 * self.probs

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Any:
        return cast(self.probs > 0.5, self.dtype)


@RegisterKL(BernoulliDistribution, BernoulliDistribution)
def _between_bernoullis(a: Any, b: Any, name: str | None = None) -> Any:
    one = softplus(-b.logits) - softplus(-a.logits)
    zero = softplus(b.logits) - softplus(a.logits)
    return sigmoid(a.logits) * one + sigmoid(-a.logits) * zero


class CategoricalDistribution(OfNumbers):
    """Classes 0, 1, ... of the probabilities `probs`, or softmax(`logits`), along the last axis.

    >>> tf.compat.v1.distributions.Categorical(probs=[0.25, 0.75]).prob(1).numpy()
    np.float32(0.75)

    Raises:
        ValueError: none of `probs` and `logits` is given, or both.
        InvalidArgumentError: something is no probability, and `validate_args`.
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Categorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._logits, self._probs = logits_and_probs(logits, probs, True, validate_args)
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            (self._logits, self._probs), name,
        )  # fmt: skip

    @property
    def event_size(self) -> Any:
        """How many classes there are, an int32 scalar."""
        known = self.logits.shape[-1] if self.logits.shape.rank else None
        return convert_to_tensor(known, int32) if known is not None else shape(self.logits)[-1]

    @property
    def logits(self) -> Any:
        """The logarithms of what is proportional to the probabilities."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._probs

    def _batch_shape(self) -> TensorShape:
        return self.logits.shape[:-1]

    def _batch_shape_tensor(self) -> Any:
        return shape(self.logits)[:-1]

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        rows = reshape(self.logits, [-1, self.event_size])
        drawn = categorical(rows, n, seed=seed)
        return cast(reshape(transpose(drawn), self._sizes(n)), self.dtype)

    def _alike(self, classes: Any) -> tuple[Any, Any]:
        """Classes, and logits of each."""
        if self.validate_args:
            last = cast(self.event_size - 1, classes.dtype)
            classes = self._checked(
                classes, assert_non_negative, lambda each: assert_less_equal(each, last)
            )
        ones = ones_like(classes) * cast(ones_like(self.logits[..., 0]), classes.dtype)
        wide = ones_like(self.logits) * cast(ones[..., None], self.logits.dtype) * self.logits
        return cast(classes * ones, int32), wide

    def _log_prob(self, k: Any) -> Any:
        classes, logits = self._alike(k)
        return -sparse_softmax_cross_entropy_with_logits(classes, logits)

    def _cdf(self, k: Any) -> Any:
        classes, logits = self._alike(k)
        probs = softmax(logits)
        marks = one_hot(classes, self.event_size, dtype=probs.dtype)
        # Of the classes below, as TensorFlow has it: that of the class itself does not count.
        return reduce_sum(probs * cumsum(marks, -1, exclusive=True, reverse=True), -1)

    def _entropy(self) -> Any:
        return -reduce_sum(log_softmax(self.logits) * self.probs, -1)

    def _mode(self) -> Any:
        return cast(argmax(self.logits, -1), self.dtype)


@RegisterKL(CategoricalDistribution, CategoricalDistribution)
def _between_categoricals(a: Any, b: Any, name: str | None = None) -> Any:
    apart = log_softmax(a.logits) - log_softmax(b.logits)
    return reduce_sum(softmax(a.logits) * apart, -1)


def covariance_of(mean: Any, diagonal: Any, total: Any) -> Any:
    """-mean meanᵀ / total, with another diagonal."""
    return set_diag(-mean[..., None] * mean[..., None, :] / total[..., None, None], diagonal)


class OfCounts(Distribution):
    """Samples are counts of classes, which add up to `total_count`."""

    _count: Any

    @property
    def total_count(self) -> Any:
        """How many things are counted."""
        return self._count

    def _counts(self, counts: Any) -> Any:
        return self._checked(
            counts,
            assert_non_negative,
            lambda each: assert_equal(
                self.total_count, reduce_sum(each, -1),
                message="counts must sum to `self.total_count`",
            ),
        )  # fmt: skip

    def _log_ways(self, counts: Any) -> Any:
        """The logarithm of the number of orders in which these counts come."""
        return lgamma(self.total_count + 1.0) - reduce_sum(lgamma(counts + 1.0), -1)

    def _drawn(self, logits: Any, draws: Any, seed: int | None) -> Any:
        """Counts of as many draws as each row has, of logits [rows, classes]."""
        size = shape(logits)[-1]

        def row(given: Any) -> Any:
            one, count = given
            classes = categorical(one[None], count, seed=seed)
            return reduce_sum(one_hot(classes[0], size, dtype=self.dtype), 0)

        return map_fn(row, (logits, draws), fn_output_signature=self.dtype)


class MultinomialDistribution(OfCounts):
    """Counts of `total_count` draws of classes that have the probabilities `probs`.

    >>> tf.compat.v1.distributions.Multinomial(4.0, probs=[0.25, 0.75]).mean().numpy()
    array([1., 3.], dtype=float32)

    Raises:
        ValueError: none of `probs` and `logits` is given, or both.
        InvalidArgumentError: something is no probability or no count, and `validate_args`.
    """

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name):
            self._count = convert_to_tensor(total_count, name="total_count")
            self._logits, self._probs = logits_and_probs(logits, probs, True, validate_args)
            self._weights = self._count[..., None] * self._probs
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            (self._count, self._logits, self._probs), name,
        )  # fmt: skip
        self._count = self._checked(self._count, assert_non_negative)

    @property
    def logits(self) -> Any:
        """The logarithms of what is proportional to the probabilities."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._probs

    def _batch_shape(self) -> TensorShape:
        return self._weights.shape[:-1]

    def _batch_shape_tensor(self) -> Any:
        return shape(self._weights)[:-1]

    def _event_shape(self) -> TensorShape:
        return self._weights.shape[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self._weights)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        sizes = shape(self._weights)
        logits = self.logits * ones_like(self._weights)
        counts = cast(self.total_count * ones_like(self._weights[..., 0]), int32)
        many = concat([[n], sizes], 0)
        wide = logits + zeros(many, logits.dtype)
        draws = counts + zeros(many[:-1], int32)
        found = self._drawn(reshape(wide, [-1, sizes[-1]]), reshape(draws, [-1]), seed)
        return reshape(found, many)

    def _log_prob(self, counts: Any) -> Any:
        counts = self._counts(counts)
        return reduce_sum(counts * log_softmax(self.logits), -1) + self._log_ways(counts)

    def _mean(self) -> Any:
        return self._weights * 1.0

    def _covariance(self) -> Any:
        p = self.probs * ones_like(self._weights)
        weighted = self._weights
        return set_diag(-(weighted[..., None] * p[..., None, :]), self._variance())

    def _variance(self) -> Any:
        p = self.probs * ones_like(self._weights)
        return self._weights - self._weights * p
