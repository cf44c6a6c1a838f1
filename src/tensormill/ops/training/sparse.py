"""Steps of optimizers that change rows of variables, those whose gradients are there."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

from ..op import Attr, In
from . import formulas
from .dense import NOT_NEGATIVE, POSITIVE
from .steps import SparseStep, as_number_like, changing

_OF_LEADER: Final = MappingProxyType({
    "lr": POSITIVE, "l1": NOT_NEGATIVE, "l2": NOT_NEGATIVE,
    "lr_power": (lambda x: x <= 0, "a non-positive scalar"),
})  # fmt: skip


class ResourceSparseApplyProximalGradientDescent(SparseStep):
    """Rows go down their gradients, then nearer to 0."""

    var = In("resource")
    alpha = In("T")
    l1 = In("T")
    l2 = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    effects = changing("var")

    def formula(self, s: Any, var: Any, alpha: Any, l1: Any, l2: Any, grad: Any) -> Sequence[Any]:
        return (formulas.proximal_descent(s, var, alpha, l1, l2, grad),)


class ResourceSparseApplyAdadelta(SparseStep):
    """ResourceApplyAdadelta of rows."""

    var = In("resource")
    accum = In("resource")
    accum_update = In("resource")
    lr = In("T")
    rho = In("T")
    epsilon = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    effects = changing("var", "accum", "accum_update")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adadelta(s, *values, **given)


class ResourceSparseApplyAdagrad(SparseStep):
    """ResourceApplyAdagrad of rows."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    update_slots = Attr(True)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adagrad(s, *values, **given, keeps=not self.update_slots)


class ResourceSparseApplyAdagradV2(SparseStep):
    """ResourceApplyAdagradV2 of rows."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    epsilon = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    update_slots = Attr(True)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adagrad(s, *values, **given, keeps=not self.update_slots)


class ResourceSparseApplyProximalAdagrad(SparseStep):
    """ResourceApplyProximalAdagrad of rows."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    effects = changing("var", "accum")
    limits = {"lr": POSITIVE, "l1": NOT_NEGATIVE, "l2": NOT_NEGATIVE}  # noqa: RUF012

    def formula(
        self, s: Any, var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any
    ) -> Sequence[Any]:
        new = accum + grad * grad
        return formulas.proximal_descent(s, var, lr * s.rsqrt(new), l1, l2, grad), new


class ResourceSparseApplyAdagradDA(SparseStep):
    """ResourceApplyAdagradDA of rows."""

    var = In("resource")
    gradient_accumulator = In("resource")
    gradient_squared_accumulator = In("resource")
    grad = In("T n *s")
    indices = In("Tindices n")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    global_step = In("i64")
    use_locking = Attr(False)
    effects = changing("var", "gradient_accumulator", "gradient_squared_accumulator")

    def formula(self, s: Any, *values: Any, global_step: Any, **given: Any) -> Sequence[Any]:
        step = as_number_like(s, global_step, given["lr"])
        return formulas.adagrad_dual_averaging(s, *values, **given, step=step)


class ResourceSparseApplyFtrl(SparseStep):
    """ResourceApplyFtrl of rows."""

    var = In("resource")
    accum = In("resource")
    linear = In("resource")
    grad = In("T n *s")
    indices = In("Tindices n")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    lr_power = In("T")
    use_locking = Attr(False)
    multiply_linear_by_lr = Attr(False)
    effects = changing("var", "accum", "linear")
    limits = _OF_LEADER

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.follow_the_regularized_leader(
            s, *values, **given, by_rate=self.multiply_linear_by_lr
        )


class ResourceSparseApplyFtrlV2(SparseStep):
    """ResourceApplyFtrlV2 of rows."""

    var = In("resource")
    accum = In("resource")
    linear = In("resource")
    grad = In("T n *s")
    indices = In("Tindices n")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    l2_shrinkage = In("T")
    lr_power = In("T")
    use_locking = Attr(False)
    multiply_linear_by_lr = Attr(False)
    effects = changing("var", "accum", "linear")
    limits = {**_OF_LEADER, "l2_shrinkage": NOT_NEGATIVE}  # noqa: RUF012

    def formula(self, s: Any, *values: Any, l2_shrinkage: Any, **given: Any) -> Sequence[Any]:
        return formulas.follow_the_regularized_leader(
            s, *values, **given, shrinkage=l2_shrinkage, by_rate=self.multiply_linear_by_lr
        )


class ResourceSparseApplyMomentum(SparseStep):
    """ResourceApplyMomentum of rows."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    momentum = In("T")
    use_locking = Attr(False)
    use_nesterov = Attr(False)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.momentum(s, *values, **given, nesterov=self.use_nesterov)


class ResourceSparseApplyKerasMomentum(SparseStep):
    """ResourceApplyKerasMomentum of rows."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    momentum = In("T")
    use_locking = Attr(False)
    use_nesterov = Attr(False)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.momentum_of_keras(s, *values, **given, nesterov=self.use_nesterov)


class ResourceSparseApplyRMSProp(SparseStep):
    """ResourceApplyRMSProp of rows."""

    var = In("resource")
    ms = In("resource")
    mom = In("resource")
    lr = In("T")
    rho = In("T")
    momentum = In("T")
    epsilon = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    effects = changing("var", "ms", "mom")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.root_mean_square(s, *values, **given)


class ResourceSparseApplyCenteredRMSProp(SparseStep):
    """ResourceApplyCenteredRMSProp of rows."""

    var = In("resource")
    mg = In("resource")
    ms = In("resource")
    mom = In("resource")
    lr = In("T")
    rho = In("T")
    momentum = In("T")
    epsilon = In("T")
    grad = In("T n *s")
    indices = In("Tindices n")
    use_locking = Attr(False)
    effects = changing("var", "mg", "ms", "mom")

    def formula(self, s: Any, var: Any, mg: Any, ms: Any, mom: Any, **given: Any) -> Sequence[Any]:
        return formulas.root_mean_square(s, var, ms, mom, **given, mg=mg)
