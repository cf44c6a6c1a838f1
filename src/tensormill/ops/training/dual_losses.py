"""Losses of linear models as stochastic dual coordinate ascent knows them.

Shalev-Shwartz and Zhang, "Stochastic Dual Coordinate Ascent Methods for Regularized Loss
Minimization", 2013; of the logistic and the Poisson loss a step has no closed form: it is the root
of a monotone function, found by Newton's method to the last digits.

`dual` is the variable of an example, of the sign of its label where that is -1 or 1; `weight` that
of the example; `score` what the model says of it; `norm` the squared length of its features, times
its weight and the number of partitions, over l2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, Final

from ...errors import InvalidArgumentError

_STEPS: Final = 100


class DualLoss:
    """A family: a loss, its conjugate, and the step that is best for the dual."""

    name: ClassVar[str]

    def label(self, label: float) -> float:
        """A label as the formulas have it.

        Raises:
            InvalidArgumentError: no example can have it.
        """
        return label

    def next_dual(self, dual: float, label: float, score: float, norm: float) -> float:
        """The best value of the variable, the others being as they are."""
        raise NotImplementedError

    def primal(self, label: float, score: float) -> float:
        """The loss."""
        raise NotImplementedError

    def conjugate(self, dual: float, label: float) -> float:
        """The part of the dual's objective that is the example's own; without bound where no score
        gives that variable.
        """
        raise NotImplementedError


class SquaredLoss(DualLoss):
    """(label - score)² / 2."""

    name = "squared_loss"

    def next_dual(self, dual: float, label: float, score: float, norm: float) -> float:
        return dual + _over(label - dual - score, 1.0 + norm)

    def primal(self, label: float, score: float) -> float:
        return (label - score) ** 2 / 2

    def conjugate(self, dual: float, label: float) -> float:
        return dual * (dual / 2 - label)


class OfTwoClasses(DualLoss):
    """A family: labels are 0 and 1, and -1 and 1 in formulas."""

    def label(self, label: float) -> float:
        if label not in (0.0, 1.0):
            raise InvalidArgumentError(
                "Only labels of 0.0 or 1.0 are supported right now. Found example with label: "
                f"{label}"
            )
        return 2.0 * label - 1.0


class HingeLoss(OfTwoClasses):
    """What a margin lacks to 1."""

    name = "hinge_loss"

    def next_dual(self, dual: float, label: float, score: float, norm: float) -> float:
        return label * _within_one(label * dual + _over(1.0 - label * score, norm))

    def primal(self, label: float, score: float) -> float:
        return max(0.0, 1.0 - label * score)

    def conjugate(self, dual: float, label: float) -> float:
        return -dual * label if 0.0 <= dual * label <= 1.0 else math.inf


class SmoothHingeLoss(OfTwoClasses):
    """The same, a parabola between margins of 0 and 1."""

    name = "smooth_hinge_loss"

    def next_dual(self, dual: float, label: float, score: float, norm: float) -> float:
        signed = label * dual
        return label * _within_one(signed + _over(1.0 - label * score - signed, 1.0 + norm))

    def primal(self, label: float, score: float) -> float:
        margin = label * score
        if margin >= 1.0:
            return 0.0
        return 0.5 - margin if margin <= 0.0 else (1.0 - margin) ** 2 / 2

    def conjugate(self, dual: float, label: float) -> float:
        return dual * (dual / 2 - label) if 0.0 <= dual * label <= 1.0 else math.inf


class LogisticLoss(OfTwoClasses):
    """log(1 + exp(-margin))."""

    name = "logistic_loss"

    def next_dual(self, dual: float, label: float, score: float, norm: float) -> float:
        # The dual is the logistic function of -x, where x is what the score will be.
        start = label * (score - norm * dual)

        def residual(x: float) -> tuple[float, float]:
            chance = _logistic(-x)
            return x - start - norm * chance, 1.0 + norm * chance * (1.0 - chance)

        return label * _logistic(-_root(residual, start, start + norm, start + norm / 2))

    def primal(self, label: float, score: float) -> float:
        return max(0.0, -label * score) + math.log1p(math.exp(-abs(score)))

    def conjugate(self, dual: float, label: float) -> float:
        chance = dual * label
        return _times_log(chance) + _times_log(1.0 - chance)


class PoissonLoss(DualLoss):
    """exp(score) - label · score."""

    name = "poisson_loss"

    def label(self, label: float) -> float:
        if label < 0.0:
            raise InvalidArgumentError(
                "Only non-negative labels can be used with the Poisson log loss. Found example "
                f"with label: {label}"
            )
        return label

    def next_dual(self, dual: float, label: float, score: float, norm: float) -> float:
        # label - dual is the exponential of x, which the score will be.
        end = score + norm * (label - dual)
        if not norm > 0.0:
            return label - _exp(end)

        def residual(x: float) -> tuple[float, float]:
            mean = norm * _exp(x)
            return x + mean - end, 1.0 + mean

        first = min(end, math.log(max(end, 1.0)) - math.log(norm))
        return label - _exp(_root(residual, -math.inf, end, first))

    def primal(self, label: float, score: float) -> float:
        return _exp(score) - label * score

    def conjugate(self, dual: float, label: float) -> float:
        mean = label - dual
        return _times_log(mean) - mean if mean >= 0.0 else math.inf


LOSSES: Final[dict[str, DualLoss]] = {
    kind.name: kind()
    for kind in (LogisticLoss, SquaredLoss, HingeLoss, SmoothHingeLoss, PoissonLoss)
}


def _root(residual: Callable[[float], Any], least: float, most: float, first: float) -> float:
    """Where an increasing function is 0: by Newton's steps, and by halves where these lead away
    or no longer become half as long.
    """
    x, step = first, math.inf
    for _ in range(_STEPS):
        value, slope = residual(x)
        if value > 0.0:
            most = x
        else:
            least = x
        following = x - value / slope
        is_slow = not least <= following <= most or abs(following - x) > step / 2
        if is_slow and math.isfinite(least + most):
            following = (least + most) / 2
        step = abs(following - x)
        if step <= 1e-15 * max(1.0, abs(x)):
            return following
        x = following
    return x


def _over(value: float, divisor: float) -> float:
    if divisor:
        return value / divisor
    return math.copysign(math.inf, value) if value else math.nan


def _within_one(value: float) -> float:
    return value if math.isnan(value) else min(1.0, max(0.0, value))


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0.0 else 1.0 - 1.0 / (1.0 + _exp(x))


def _exp(x: float) -> float:
    return math.exp(x) if x < 709.0 else math.inf if x == x else x


def _times_log(value: float) -> float:
    return value * math.log(value) if value > 0.0 else 0.0 * value
