"""`rejection_sampling` in compiled code: the same numbers, one result after the other.

What only few results need (a logarithm, another group of words) is computed by those alone: a
`repeat` that ends after one turn is a branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from ...core import dtypes
from ..shared_rules import SharedRule, shared
from . import distributions
from .philox import WordStream
from .rejection_sampling import STRETCH, STRETCH_OF_STEPS

Number = Callable[[Any, Any], Any]  # of the number of a result, and of the place of its parameters
DOUBLE: Final = dtypes.float64


def numbers(
    loops: Any, sizes: Any, per_parameter: Any, parameters: Any, dtype: Any, number: Number
) -> Any:
    """An array of `sizes`: so many results for each of the parameters, side by side in the last
    axes; those of one parameter have neighbouring stretches of the stream.
    """
    s = loops.scalars

    def one(place: Any) -> Any:
        row, parameter = place // parameters, place % parameters
        drawn = number(parameter * per_parameter + row, parameter)
        if dtype.is_integer:
            drawn = s.where(s.is_finite(drawn), drawn, s.constant(0, drawn))
        return s.cast(drawn, dtype)

    return loops.reshape(loops.apart((loops.count(sizes),), dtype, one), sizes)


def only_if(loops: Any, condition: Any, value: Callable[[], Any], otherwise: Any) -> Any:
    """`value()` where the condition holds, computed nowhere else."""
    done = loops.constant(False, dtypes.bool_)
    _, found = loops.repeat(
        (condition, otherwise), lambda is_open, _: is_open, lambda *_: (done, value())
    )
    return found


class Pools:
    """What one result has drawn: the group that comes next and what is left of the last ones, of
    uniform numbers the second one, of normal ones the radius and the angle of both.
    """

    def __init__(self, loops: Any, stream: WordStream) -> None:
        self.loops, self.stream, self.s = loops, stream, loops.scalars

    def beginning(self, group: Any) -> list[Any]:
        none, nothing = (self.loops.constant(k, t) for k, t in ((False, dtypes.bool_), (0, DOUBLE)))
        return [group, none, nothing, none, nothing, nothing]

    def uniform(self, state: list[Any], wanted: Any) -> tuple[list[Any], Any]:
        """The state after it, and a number in [0, 1); no number where none is wanted."""
        group, has, kept, *normal = state
        is_empty = self.loops.held(wanted & self.s.logical_not(has))

        def draw(words: tuple[Any, ...]) -> Iterator[Any]:
            return (distributions.unit_float(self.s, words, lane, DOUBLE) for lane in (0, 1))

        group, first, second = self._drawn(is_empty, group, draw, kept, kept)
        has = self.s.where(wanted, self.s.logical_not(has), has)
        return [group, has, first, *normal], second

    def normal(self, state: list[Any]) -> tuple[list[Any], Any]:
        """The state after it, and a normal number. Most results take one of a pair alone: the other
        one's sine is not worked out before.
        """
        group, *uniform, has, radius, angle = state
        s, is_empty = self.s, self.loops.held(self.s.logical_not(has))

        def draw(words: tuple[Any, ...]) -> tuple[Any, ...]:
            radius, angle = map(self.loops.held, distributions.polar(s, words, 0, DOUBLE))
            return radius, angle, s.cos(angle) * radius

        group, radius, angle, second = self._drawn(is_empty, group, draw, radius, angle, radius)
        number = only_if(self.loops, has, lambda: s.sin(angle) * radius, second)
        return [group, *uniform, is_empty, radius, angle], number

    def _drawn(
        self, is_empty: Any, group: Any, made: Callable[..., Iterable[Any]], *otherwise: Any
    ) -> tuple[Any, ...]:
        """The group that comes next, and what is made of this one's words where that is wanted."""
        done = self.loops.constant(False, dtypes.bool_)

        def draw(_: Any, number: Any, *others: Any) -> tuple[Any, ...]:
            return done, number + 1, *made(self.stream.group(self.s, number))

        state = is_empty, group, *otherwise
        return self.loops.repeat(state, lambda is_open, *_: is_open, draw)[1:]


STREAM: Final = "u32 u32 u32 u32 i64"  # a key, the high half of a counter, a group


def _called(loops: Any, rule: SharedRule, stream: WordStream, *operands: Any) -> Any:
    """What a shared rule draws from a stream, at a group and with parameters."""
    words = (*stream.key, *stream.high)
    given = [loops.constant(x, dtypes.uint32) if isinstance(x, int) else x for x in words]
    return loops.shared(rule, *given, *operands)


def gamma(loops: Any, stream: WordStream, start: Any, alphas: Any) -> Number:
    """Numbers of `rejection_sampling.gammas`, of a vector of parameters."""

    def one(result: Any, place: Any) -> Any:
        alpha = loops.scalars.cast(alphas[(place,)], DOUBLE)
        return _called(loops, gamma_number, stream, start + result * STRETCH, alpha)

    return one


@shared(f"{STREAM} f64", "f64", work=20_000)
def gamma_number(loops: Any, *given: Any) -> Any:
    """One gamma distributed number."""
    s, number = loops.scalars, _constants(loops)
    *words, group, alpha = given
    pools = Pools(loops, WordStream((words[0], words[1]), (words[2], words[3])))
    is_one, is_small = loops.held(alpha == 1.0), loops.held(alpha < 1.0)
    d = loops.held(alpha + s.where(is_small, number(2.0 / 3), number(-1.0 / 3)))
    c = loops.held(number(1.0 / 3) / s.sqrt(d))
    has_none = loops.held(s.is_nan(c))

    def attempt(_: Any, found: Any, *state: Any) -> tuple[Any, ...]:
        now, x = pools.normal(list(state))
        v = loops.held(c * x + 1.0)
        cubed, tried = loops.held(v * v * v), loops.held(v > 0.0)
        now, u = pools.uniform(now, tried)
        square = loops.held(x * x)
        late = tried & s.logical_not(u < number(1.0) - square * 0.0331 * square)

        def is_below() -> Any:
            return s.log(u) < square * 0.5 + d * (number(1.0) - cubed + s.log(cubed))

        good = only_if(loops, late, is_below, tried)
        return s.logical_not(good), s.where(good, d * cubed, found), *now

    pending = s.logical_not(is_one | has_none)
    _, found, *state = loops.repeat(
        (pending, number(math.nan), *pools.beginning(group)), lambda is_open, *_: is_open, attempt
    )
    again = loops.held(is_one | (is_small & s.logical_not(has_none)))
    _, u = pools.uniform(state, again)

    def last() -> Any:
        raised = found * s.pow(u, number(1.0) / alpha)
        return s.where(is_one, -s.log(number(1.0) - u), raised)

    return only_if(loops, again, last, found)


def poisson(loops: Any, stream: WordStream, start: Any, rates: Any) -> Number:
    """Numbers of `rejection_sampling.poissons`."""

    def one(result: Any, place: Any) -> Any:
        rate = loops.scalars.cast(rates[(place,)], DOUBLE)
        return _called(loops, poisson_number, stream, start + result * STRETCH, rate)

    return one


@shared(f"{STREAM} f64", "f64", work=15_000)
def poisson_number(loops: Any, *given: Any) -> Any:
    """One Poisson distributed number."""
    s, number = loops.scalars, _constants(loops)
    *words, group, rate = given
    stream = WordStream((words[0], words[1]), (words[2], words[3]))
    are_few = loops.held((rate >= 0.0) & (rate < 10.0))
    are_many = (rate >= 10.0) & s.is_finite(rate)
    limit = loops.held(s.exp(-rate))

    def attempt(_: Any, at: Any, product: Any, count: Any) -> tuple[Any, ...]:
        first, second = _pair(loops, stream, at)
        once = loops.held(product * first)
        twice = once * second
        ends, ends_later = loops.held(once <= limit), twice <= limit
        more = s.where(ends, number(0.0), s.where(ends_later, number(1.0), number(2.0)))
        return s.logical_not(ends | ends_later), at + 1, twice, count + more

    _, _, _, few = loops.repeat(
        (are_few, group, number(1.0), number(0.0)), lambda is_open, *_: is_open, attempt
    )
    negative = s.where(rate < 0.0, number(0.0), rate)  # infinity and NaN are what they are
    return _rejected(
        loops, stream, group, are_many, s.where(are_few, few, negative),
        lambda u, v: _of_many(loops, rate, u, v),
    )  # fmt: skip


Attempt = Callable[[Any, Any], tuple[Any, Any, Any, Callable[[], Any]]]


def _rejected(
    loops: Any, stream: WordStream, group: Any, wanted: Any, otherwise: Any, attempt: Attempt
) -> Any:
    """Hoermann's rejection: `attempt(u, v)` says a number, whether it is good at once, whether it
    may be good at all, and how to find that out.
    """
    s = loops.scalars

    def step(_: Any, at: Any, found: Any) -> tuple[Any, ...]:
        first, second = _pair(loops, stream, at)
        k, is_good, may_be, is_below = attempt(loops.held(first - 0.5), second)
        late = may_be & s.logical_not(is_good)
        good = only_if(loops, late, is_below, is_good)
        return s.logical_not(good), at + 1, s.where(good, k, found)

    _, _, found = loops.repeat((wanted, group, otherwise), lambda is_open, *_: is_open, step)
    return found


def _of_many(loops: Any, rate: Any, u: Any, v: Any) -> tuple[Any, Any, Any, Callable[[], Any]]:
    s, number = loops.scalars, _constants(loops)
    b = loops.held(s.sqrt(rate) * 2.53 + 0.931)
    a = loops.held(b * 0.02483 - 0.059)
    us = loops.held(number(0.5) - s.abs(u))
    k = loops.held(s.floor((a * 2.0 / us + b) * u + rate + 0.43))
    is_good = loops.held((us >= 0.07) & (v <= number(0.9277) - number(3.6224) / (b - 2.0)))
    may_be = s.logical_not((k < 0.0) | ((us < 0.013) & (v > us)))

    def is_below() -> Any:
        inverse = number(1.1328) / (b - 3.4) + 1.1239
        tried = s.log(v * inverse / (a / (us * us) + b))
        return tried <= k * s.log(rate) - rate - s.lgamma(k + 1.0)

    return k, is_good, may_be, is_below


def binomial(loops: Any, stream: WordStream, start: Any, counts: Any, probs: Any) -> Number:
    """Numbers of `rejection_sampling.binomials`."""
    s = loops.scalars
    own = dtypes.as_dtype(counts.dtype)
    narrow = own if own.is_floating else DOUBLE

    def one(result: Any, place: Any) -> Any:
        given, prob = (loops.held(s.cast(x[(place,)], narrow)) for x in (counts, probs))
        is_turned = loops.held(prob > 0.5)
        small = loops.held(s.where(is_turned, s.constant(1, prob) - prob, prob))
        are_few = given * small < 10.0  # in the dtype of the parameters, as TensorFlow decides it
        n, p = (loops.held(s.cast(x, DOUBLE)) for x in (given, small))
        group = start + result * s.where(are_few, STRETCH_OF_STEPS, STRETCH)
        found = _called(loops, binomial_number, stream, group, n, p, are_few)
        counted_back = is_turned & s.logical_not(n <= 0.0) & s.is_finite(found)
        return s.where(counted_back, n - found, found)

    return one


@shared(f"{STREAM} f64 f64 bool", "f64", work=20_000)
def binomial_number(loops: Any, *given: Any) -> Any:
    """How often something happens of n times that happens with probability p, 1/2 at most."""
    s, number = loops.scalars, _constants(loops)
    *words, group, n, p, are_few = given
    stream = WordStream((words[0], words[1]), (words[2], words[3]))
    is_drawn = loops.held((n > 0.0) & (p > 0.0) & s.is_finite(n))
    sure = s.where((n <= 0.0) | (p <= 0.0), number(0.0), n * p)  # infinity, NaN
    few = _steps(loops, stream, group, n, p, is_drawn & are_few)
    return _rejected(
        loops, stream, group, is_drawn & s.logical_not(are_few),
        s.where(is_drawn & are_few, few, sure), lambda u, v: _squeezed(loops, n, p, u, v),
    )  # fmt: skip


def _steps(loops: Any, stream: WordStream, group: Any, n: Any, p: Any, wanted: Any) -> Any:
    """Geometric steps to the successes, until they lead beyond the last trial."""
    s, number = loops.scalars, _constants(loops)
    failure = only_if(loops, wanted, lambda: s.log1p(-p), number(-1.0))

    def attempt(_: Any, at: Any, total: Any, hits: Any) -> tuple[Any, ...]:
        first, second = _pair(loops, stream, at)
        once = loops.held(total + s.ceil(s.log(first) / failure))
        ends = loops.held(once > n)
        later = only_if(
            loops, s.logical_not(ends), lambda: once + s.ceil(s.log(second) / failure), once
        )
        ends_later = loops.held(later > n)
        more = s.where(ends, number(0.0), s.where(ends_later, number(1.0), number(2.0)))
        return s.logical_not(ends | ends_later), at + 1, later, hits + more

    _, _, _, hits = loops.repeat(
        (wanted, group, number(0.0), number(0.0)), lambda is_open, *_: is_open, attempt
    )
    return hits


def _squeezed(loops: Any, n: Any, p: Any, u: Any, v: Any) -> tuple[Any, Any, Any, Any]:
    s, number = loops.scalars, _constants(loops)
    deviation = loops.held(s.sqrt(n * p * (number(1.0) - p)))
    b = loops.held(deviation * 2.53 + 1.15)
    a = loops.held(b * 0.0248 - 0.0873 + p * 0.01)
    us = loops.held(number(0.5) - s.abs(u))
    k = loops.held(s.floor((a * 2.0 / us + b) * u + n * p + 0.5))
    is_good = loops.held((us >= 0.07) & (v <= number(0.92) - number(4.2) / b))

    def is_below() -> Any:
        alpha = (number(5.1) / b + 2.83) * deviation
        return s.log(v * alpha / (a / (us * us) + b)) <= _log_ratio(loops, n, p, k)

    return k, is_good, (k >= 0.0) & (k <= n), is_below


def _log_ratio(loops: Any, n: Any, p: Any, k: Any) -> Any:
    """How much likelier k is than the mode, as a logarithm."""
    s, number = loops.scalars, _constants(loops)
    m, r = loops.held(s.floor((n + 1.0) * p)), loops.held(p / (number(1.0) - p))
    rest = loops.held(n - m + 1.0)
    ratio = (m + 0.5) * s.log((m + 1.0) / (r * rest)) + (n + 1.0) * s.log(rest / (n - k + 1.0))
    ratio = ratio + (k + 0.5) * s.log(r * (n - k + 1.0) / (k + 1.0))
    terms = (m, n - m, k, n - k)

    def add(turn: Any, total: Any) -> tuple[Any, Any]:
        lacking = _stirling(loops, loops.held(distributions.pick(s, terms, turn)))
        return turn + 1, total + s.where(turn < 2, lacking, -lacking)

    zero = loops.constant(0, dtypes.int64)
    return loops.repeat((zero, ratio), lambda turn, _: turn < 4, add)[1]


def _stirling(loops: Any, k: Any) -> Any:
    """What Stirling's formula lacks of log(k!)."""
    s, number = loops.scalars, _constants(loops)
    one = loops.held(k + 1.0)
    square = one * one
    series = (number(1 / 12) - (number(1 / 360) - number(1 / 1260) / square) / square) / one

    def exact() -> Any:
        return s.lgamma(one) - ((k + 0.5) * s.log(one) - one + 0.5 * math.log(2 * math.pi))

    return only_if(loops, k < 10.0, exact, series)


def _pair(loops: Any, stream: WordStream, group: Any) -> tuple[Any, Any]:
    """The two uniform numbers of a group, in the order in which they are taken."""
    s = loops.scalars
    words = stream.group(s, group)
    return tuple(loops.held(distributions.unit_float(s, words, lane, DOUBLE)) for lane in (1, 0))


def _constants(loops: Any) -> Callable[[float], Any]:
    return lambda value: loops.constant(value, DOUBLE)
