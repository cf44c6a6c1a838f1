"""Random numbers by rejection: gamma, Poisson, binomial, categorical; TensorFlow's streams.

Every result has a stretch of the stream of its own, so that it does not depend on how many draws
the others needed. All results are drawn together, each from its own place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...core import dtypes
from . import distributions
from .philox import WordStream

STRETCH: Final = 256  # groups of words for each result
STRETCH_OF_STEPS: Final = 42  # the same for binomial numbers that are found in few steps
Array = Any


class Draws:
    """For each of several results what it draws: groups of its stretch turned into doubles, of
    which the last one is taken first.
    """

    def __init__(self, stream: WordStream, start: int, count: int, stretch: int = STRETCH) -> None:
        self.stream = stream
        self.next = np.arange(count, dtype=np.uint64) * np.uint64(stretch) + np.uint64(start)
        self.kept: dict[str, tuple[Array, Array]] = {
            kind: (np.zeros((count, 2)), np.zeros(count, np.int64))
            for kind in ("uniform", "normal")
        }

    def uniform(self, chosen: Array) -> Array:
        """A number in [0, 1) for each of the chosen results."""
        return self._taken("uniform", chosen, distributions.unit_floats)

    def normal(self, chosen: Array) -> Array:
        """A normal number for each of the chosen results."""
        return self._taken("normal", chosen, distributions.normals)

    def _taken(self, kind: str, chosen: Array, made: Callable[..., Array]) -> Array:
        numbers, left = self.kept[kind]
        empty = chosen[left[chosen] == 0]
        if len(empty):
            words = self.stream.groups(self.next[empty])
            numbers[empty] = made(words, dtypes.float64)
            self.next[empty] += np.uint64(1)
            left[empty] = 2
        left[chosen] -= 1
        return numbers[chosen, left[chosen]]


def gammas(stream: WordStream, start: int, alpha: Array, per_alpha: int) -> Array:
    """Gamma distributed numbers [per_alpha, *alpha's shape] (Marsaglia and Tsang 2000); NaN where
    there are none.
    """
    shapes = np.repeat(alpha.reshape(-1).astype(np.float64), per_alpha)
    draws = Draws(stream, start, len(shapes))
    result = np.full(len(shapes), np.nan)
    exponential = np.nonzero(shapes == 1)[0]
    result[exponential] = -np.log(1.0 - draws.uniform(exponential))
    is_small = shapes < 1
    d = shapes + np.where(is_small, 2.0 / 3, -1.0 / 3)
    with np.errstate(all="ignore"):
        c = 1.0 / 3 / np.sqrt(d)
        # No number is accepted where c is NaN, that of alphas below -2/3.
        pending = np.nonzero((shapes != 1) & ~np.isnan(c))[0]
        while len(pending):
            x = draws.normal(pending)
            v = 1 + c[pending] * x
            cubed = v * v * v
            tried = pending[v > 0]
            x, cubed = x[v > 0], cubed[v > 0]
            u = draws.uniform(tried)
            squeeze = u < 1 - 0.0331 * (x * x) * (x * x)
            good = squeeze | (np.log(u) < 0.5 * x * x + d[tried] * (1 - cubed + np.log(cubed)))
            accepted = tried[good]
            result[accepted] = d[accepted] * cubed[good]
            small = accepted[is_small[accepted]]
            result[small] *= draws.uniform(small) ** (1 / shapes[small])
            pending = np.setdiff1d(pending, accepted, assume_unique=True)
    return _by_sample(result, alpha, per_alpha)


def converted(numbers: Array, dtype: np.dtype[Any]) -> Array:
    """Numbers as those of a dtype: integers have 0 for what is no finite number."""
    with np.errstate(all="ignore"):
        finite = np.where(np.isfinite(numbers), numbers, 0) if dtype.kind in "iu" else numbers
        return finite.astype(dtype)


def _by_sample(result: Array, parameter: Array, count: int) -> Array:
    return result.reshape(parameter.size, count).T.reshape(count, *parameter.shape)


def poissons(stream: WordStream, start: int, rate: Array, per_rate: int) -> Array:
    """Poisson distributed numbers [per_rate, *rate's shape]: Knuth's for small rates, Hoermann's
    transformed rejection (1993) for others. 0 for negative rates.
    """
    rates = np.repeat(rate.reshape(-1).astype(np.float64), per_rate)
    draws = Draws(stream, start, len(rates))
    result = np.where(rates < 0, 0.0, rates)  # right where nothing is drawn: infinity and NaN
    with np.errstate(all="ignore"):
        _draw_few(draws, rates, np.nonzero((rates >= 0) & (rates < 10))[0], result)
        _draw_many(draws, rates, np.nonzero(np.isfinite(rates) & (rates >= 10))[0], result)
    return _by_sample(result, rate, per_rate)


def _draw_few(draws: Draws, rates: Array, pending: Array, result: Array) -> None:
    product, count = np.ones(len(rates)), np.zeros(len(rates))
    limit = np.exp(-rates)
    while len(pending):
        product[pending] *= draws.uniform(pending)
        done = product[pending] <= limit[pending]
        result[pending[done]] = count[pending[done]]
        pending = pending[~done]
        count[pending] += 1


def _draw_many(draws: Draws, rates: Array, pending: Array, result: Array) -> None:
    from scipy.special import gammaln

    b = 0.931 + 2.53 * np.sqrt(rates)
    a = -0.059 + 0.02483 * b
    inverse, limit = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while len(pending):
        u, v = draws.uniform(pending) - 0.5, draws.uniform(pending)
        scale, slope, rate = b[pending], a[pending], rates[pending]
        us = 0.5 - np.abs(u)
        k = np.floor((2 * slope / us + scale) * u + rate + 0.43)
        good = (us >= 0.07) & (v <= limit[pending])
        hopeless = (k < 0) | ((us < 0.013) & (v > us))
        s = np.log(v * inverse[pending] / (slope / (us * us) + scale))
        t = -rate + k * np.log(rate) - gammaln(k + 1)
        good = good | (~hopeless & (s <= t))
        result[pending[good]] = k[good]
        pending = pending[~good]


def binomials(stream: WordStream, start: int, count: Array, prob: Array, per_batch: int) -> Array:
    """Binomial numbers [per_batch, *shape]: by geometric steps where few are expected, else by
    Hoermann's transformed rejection with squeeze (1993).
    """
    turned = np.repeat(prob.reshape(-1) > 0.5, per_batch)
    counts = np.repeat(count.reshape(-1).astype(np.float64), per_batch)
    with np.errstate(all="ignore"):
        rare = np.where(prob > 0.5, 1 - prob, prob)
        # In the dtype of the parameters, as TensorFlow decides it.
        are_few = np.repeat((count * rare < 10).reshape(-1), per_batch)
        rare = np.repeat(rare.reshape(-1).astype(np.float64), per_batch)
        result = np.where((counts <= 0) | (rare <= 0), 0.0, counts * rare)  # infinity, NaN
        drawn = np.isfinite(counts) & (counts > 0) & (rare > 0)
        steps = Draws(stream, start, len(counts), STRETCH_OF_STEPS)
        _draw_by_steps(steps, counts, rare, np.nonzero(drawn & are_few)[0], result)
        draws = Draws(stream, start, len(counts))
        _draw_by_squeeze(draws, counts, rare, np.nonzero(drawn & ~are_few)[0], result)
        result = np.where(turned & ~(counts <= 0) & np.isfinite(result), counts - result, result)
    return _by_sample(result, count, per_batch)


def _draw_by_steps(
    draws: Draws, counts: Array, probs: Array, pending: Array, result: Array
) -> None:
    total, hits = np.zeros(len(counts)), np.zeros(len(counts))
    while len(pending):
        steps = np.ceil(np.log(draws.uniform(pending)) / np.log1p(-probs[pending]))
        total[pending] += steps
        done = total[pending] > counts[pending]
        result[pending[done]] = hits[pending[done]]
        pending = pending[~done]
        hits[pending] += 1


def _draw_by_squeeze(
    draws: Draws, counts: Array, probs: Array, pending: Array, result: Array
) -> None:
    while len(pending):
        n, p = counts[pending], probs[pending]
        deviation = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * p
        u, v = draws.uniform(pending) - 0.5, draws.uniform(pending)
        us = 0.5 - np.abs(u)
        k = np.floor((2 * a / us + b) * u + n * p + 0.5)
        good = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
        alpha = (2.83 + 5.1 / b) * deviation
        tried = np.log(v * alpha / (a / (us * us) + b))
        good = good | ((k >= 0) & (k <= n) & (tried <= _log_ratio(n, p, k)))
        result[pending[good]] = k[good]
        pending = pending[~good]


def _log_ratio(n: Array, p: Array, k: Array) -> Array:
    """How much likelier k is than the mode, as a logarithm."""
    m, r = np.floor((n + 1) * p), p / (1 - p)
    return (
        (m + 0.5) * np.log((m + 1) / (r * (n - m + 1)))
        + (n + 1) * np.log((n - m + 1) / (n - k + 1))
        + (k + 0.5) * np.log(r * (n - k + 1) / (k + 1))
        + _stirling(m) + _stirling(n - m) - _stirling(k) - _stirling(n - k)
    )  # fmt: skip


def _stirling(k: Array) -> Array:
    """What Stirling's formula lacks of log(k!)."""
    from scipy.special import gammaln

    one = k + 1
    series = (1 / 12 - (1 / 360 - 1 / 1260 / (one * one)) / (one * one)) / one
    exact = gammaln(one) - (0.5 * np.log(2 * np.pi) + (k + 0.5) * np.log(one) - one)
    return np.where(k < 10, exact, series)


def categories(stream: WordStream, start: int, logits: Array, count: int) -> Array:
    """Places [batch, count], drawn with the probabilities softmax(logits)."""
    rows, running = len(logits), running_shares(logits)
    groups = np.arange(-(-rows * count // 2), dtype=np.uint64) + np.uint64(start)
    drawn = distributions.unit_floats(stream.groups(groups), dtypes.float64).reshape(-1)
    wanted = drawn[: rows * count].reshape(rows, count) * running[:, -1:]
    found = np.empty((rows, count), np.int64)
    for row in range(rows):
        found[row] = np.searchsorted(running[row], wanted[row], "right")
    return found


def running_shares(logits: Array) -> Array:
    """Sums of the shares of categories up to each one, row by row."""
    wide = logits.astype(np.float64)
    finite = np.isfinite(wide)
    highest = np.where(finite, wide, -np.inf).max(1, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        return np.cumsum(np.where(finite, np.exp(wide - highest), 0.0), 1)
