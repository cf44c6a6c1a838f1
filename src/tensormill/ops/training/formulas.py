"""What each optimizer makes of one element: `s` is the scalar language (ops/scalar.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def shrunk(s: Any, x: Any, by: Any) -> Any:
    """x nearer to 0 by `by`, and not beyond (the proximal operator of the absolute value)."""
    zero = s.constant(0, x)
    return s.sign(x) * s.maximum(s.abs(x) - by, zero)


def adadelta(
    s: Any, var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any
) -> Sequence[Any]:
    """Zeiler 2012, "ADADELTA: an adaptive learning rate method"."""
    new = accum * rho + grad * grad * (1 - rho)
    update = s.sqrt(accum_update + epsilon) * s.rsqrt(new + epsilon) * grad
    return var - update * lr, new, accum_update * rho + update * update * (1 - rho)


def adagrad(
    s: Any, var: Any, accum: Any, lr: Any, grad: Any, keeps: bool, epsilon: Any = None
) -> Sequence[Any]:
    """Duchi, Hazan, Singer 2011, "Adaptive subgradient methods". `keeps`: the sum stays."""
    new = accum if keeps else accum + grad * grad
    if epsilon is None:
        return var - lr * grad * s.rsqrt(new), new
    return var - lr * grad / (s.sqrt(new) + epsilon), new


def adagrad_dual_averaging(
    s: Any, var: Any, total: Any, squares: Any, grad: Any, lr: Any, l1: Any, l2: Any, step: Any
) -> Sequence[Any]:
    """The same paper, by dual averaging: `var` is told by the sums alone."""
    total, squares = total + grad, squares + grad * grad
    return -lr * shrunk(s, total, l1 * step) / (l2 * step * lr + s.sqrt(squares)), total, squares


def follow_the_regularized_leader(
    s: Any, var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any,
    lr_power: Any, shrinkage: Any = None, by_rate: bool = False,
) -> Sequence[Any]:  # fmt: skip
    """McMahan et al. 2013, "Ad click prediction". `by_rate`: `linear` is kept times `lr`."""
    new = accum + grad * grad
    powers = s.pow(new, -lr_power), s.pow(accum, -lr_power)
    slope = grad if shrinkage is None else grad + 2 * shrinkage * var
    one = lr / lr
    scale, rate = (lr, one) if by_rate else (one, lr)
    linear = linear + slope * scale - (powers[0] - powers[1]) / rate * var
    limit = l1 * scale
    quadratic = powers[0] / rate + 2 * l2 * scale
    zero = s.constant(0, var)
    found = (limit * s.sign(linear) - linear) / quadratic
    return s.where(s.abs(linear) > limit, found, zero), new, linear


def momentum(
    s: Any, var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, nesterov: bool
) -> Sequence[Any]:
    """Polyak 1964; Sutskever et al. 2013 for Nesterov's."""
    new = accum * momentum + grad
    return var - (grad * lr + new * momentum * lr if nesterov else new * lr), new


def momentum_of_keras(
    s: Any, var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, nesterov: bool
) -> Sequence[Any]:
    """The same, with the rate in what is remembered."""
    new = accum * momentum - grad * lr
    return var + (new * momentum - grad * lr if nesterov else new), new


def adam(
    s: Any, var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any,
    beta2: Any, epsilon: Any, grad: Any, nesterov: bool = False, vhat: Any = None,
) -> Sequence[Any]:  # fmt: skip
    """Kingma, Ba 2015, "Adam"; Reddi et al. 2018 for `vhat`, the largest second moment so far."""
    rate = lr * s.sqrt(1 - beta2_power) / (1 - beta1_power)
    m, v = m + (grad - m) * (1 - beta1), v + (grad * grad - v) * (1 - beta2)
    first = m * beta1 + grad * (1 - beta1) if nesterov else m
    if vhat is None:
        return var - first * rate / (s.sqrt(v) + epsilon), m, v
    vhat = s.maximum(vhat, v)
    return var - first * rate / (s.sqrt(vhat) + epsilon), m, v, vhat


def adam_of_largest(
    s: Any, var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any,
    epsilon: Any, grad: Any,
) -> Sequence[Any]:  # fmt: skip
    """AdaMax, of the same paper as Adam."""
    m, v = m + (grad - m) * (1 - beta1), s.maximum(beta2 * v, s.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


def root_mean_square(
    s: Any, var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any,
    mg: Any = None,
) -> Sequence[Any]:  # fmt: skip
    """Tieleman, Hinton 2012, "RMSProp"; `mg`: by the variance, not the square."""
    ms = ms + (grad * grad - ms) * (1 - rho)
    if mg is None:
        mom = mom * momentum + grad * lr * s.rsqrt(ms + epsilon)
        return var - mom, ms, mom
    mg = mg + (grad - mg) * (1 - rho)
    mom = mom * momentum + grad * lr * s.rsqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


def by_sign(s: Any, m: Any, beta: Any, sign_decay: Any, grad: Any) -> tuple[Any, Any]:
    """The new moment, and how much the gradient agrees with it (Bello et al. 2017)."""
    m = m * beta + grad * (1 - beta)
    return m, sign_decay * s.sign(grad) * s.sign(m)


def proximal_descent(s: Any, var: Any, rate: Any, l1: Any, l2: Any, grad: Any) -> Any:
    """Duchi, Singer 2009, "Efficient learning using forward-backward splitting"."""
    return shrunk(s, var - grad * rate, l1 * rate) / (1 + l2 * rate)
