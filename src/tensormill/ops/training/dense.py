"""Steps of optimizers that change whole variables, under their names in TensorFlow's graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..op import Attr, In
from . import formulas
from .steps import DenseStep, as_number_like, changing

NOT_NEGATIVE: Final = lambda x: x >= 0, "a non-negative scalar"
POSITIVE: Final = lambda x: x > 0, "a positive scalar"


class ResourceApplyGradientDescent(DenseStep):
    """The variable less `alpha` times its gradient."""

    var = In("resource")
    alpha = In("T")
    delta = In("T *s")
    use_locking = Attr(False)
    effects = changing("var")
    gradient = "delta"

    def formula(self, s: Any, var: Any, alpha: Any, delta: Any) -> Sequence[Any]:
        return (var - delta * alpha,)


class ResourceApplyProximalGradientDescent(DenseStep):
    """A step down the gradient, then nearer to 0 (FOBOS)."""

    var = In("resource")
    alpha = In("T")
    l1 = In("T")
    l2 = In("T")
    delta = In("T *s")
    use_locking = Attr(False)
    effects = changing("var")
    gradient = "delta"

    def formula(self, s: Any, var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Sequence[Any]:
        return (formulas.proximal_descent(s, var, alpha, l1, l2, delta),)


class ResourceApplyAdadelta(DenseStep):
    """Steps as large as those before, relative to the gradients before."""

    var = In("resource")
    accum = In("resource")
    accum_update = In("resource")
    lr = In("T")
    rho = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "accum", "accum_update")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adadelta(s, *values, **given)


class ResourceApplyAdagrad(DenseStep):
    """Smaller steps where gradients were large."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    update_slots = Attr(True)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adagrad(s, *values, **given, keeps=not self.update_slots)


class ResourceApplyAdagradV2(DenseStep):
    """The same, with a number that keeps steps finite."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    update_slots = Attr(True)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adagrad(s, *values, **given, keeps=not self.update_slots)


class ResourceApplyProximalAdagrad(DenseStep):
    """Adagrad's steps, then nearer to 0."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "accum")
    limits = {"lr": POSITIVE, "l1": NOT_NEGATIVE, "l2": NOT_NEGATIVE}  # noqa: RUF012

    def formula(
        self, s: Any, var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any
    ) -> Sequence[Any]:
        new = accum + grad * grad
        return formulas.proximal_descent(s, var, lr * s.rsqrt(new), l1, l2, grad), new


class ResourceApplyAdagradDA(DenseStep):
    """Adagrad by dual averaging."""

    var = In("resource")
    gradient_accumulator = In("resource")
    gradient_squared_accumulator = In("resource")
    grad = In("T *s")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    global_step = In("i64")
    use_locking = Attr(False)
    effects = changing("var", "gradient_accumulator", "gradient_squared_accumulator")

    def formula(self, s: Any, *values: Any, global_step: Any, **given: Any) -> Sequence[Any]:
        step = as_number_like(s, global_step, given["lr"])
        return formulas.adagrad_dual_averaging(s, *values, **given, step=step)


class ResourceApplyFtrl(DenseStep):
    """Follow the regularized leader."""

    var = In("resource")
    accum = In("resource")
    linear = In("resource")
    grad = In("T *s")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    lr_power = In("T")
    use_locking = Attr(False)
    multiply_linear_by_lr = Attr(False)
    effects = changing("var", "accum", "linear")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.follow_the_regularized_leader(
            s, *values, **given, by_rate=self.multiply_linear_by_lr
        )


class ResourceApplyFtrlV2(DenseStep):
    """The same, with a penalty on size that past gradients do not see."""

    var = In("resource")
    accum = In("resource")
    linear = In("resource")
    grad = In("T *s")
    lr = In("T")
    l1 = In("T")
    l2 = In("T")
    l2_shrinkage = In("T")
    lr_power = In("T")
    use_locking = Attr(False)
    multiply_linear_by_lr = Attr(False)
    effects = changing("var", "accum", "linear")

    def formula(self, s: Any, *values: Any, l2_shrinkage: Any, **given: Any) -> Sequence[Any]:
        return formulas.follow_the_regularized_leader(
            s, *values, **given, shrinkage=l2_shrinkage, by_rate=self.multiply_linear_by_lr
        )


class ResourceApplyMomentum(DenseStep):
    """Steps that go on where the last ones went."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    grad = In("T *s")
    momentum = In("T")
    use_locking = Attr(False)
    use_nesterov = Attr(False)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.momentum(s, *values, **given, nesterov=self.use_nesterov)


class ResourceApplyKerasMomentum(DenseStep):
    """The same, where steps are remembered, not gradients."""

    var = In("resource")
    accum = In("resource")
    lr = In("T")
    grad = In("T *s")
    momentum = In("T")
    use_locking = Attr(False)
    use_nesterov = Attr(False)
    effects = changing("var", "accum")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.momentum_of_keras(s, *values, **given, nesterov=self.use_nesterov)


class ResourceApplyAdam(DenseStep):
    """Steps by the first two moments of the gradients."""

    var = In("resource")
    m = In("resource")
    v = In("resource")
    beta1_power = In("T")
    beta2_power = In("T")
    lr = In("T")
    beta1 = In("T")
    beta2 = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    use_nesterov = Attr(False)
    effects = changing("var", "m", "v")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adam(s, *values, **given, nesterov=self.use_nesterov)


class ResourceApplyAdamWithAmsgrad(DenseStep):
    """The same, by the largest second moment so far."""

    var = In("resource")
    m = In("resource")
    v = In("resource")
    vhat = In("resource")
    beta1_power = In("T")
    beta2_power = In("T")
    lr = In("T")
    beta1 = In("T")
    beta2 = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "m", "v", "vhat")

    def formula(self, s: Any, var: Any, m: Any, v: Any, vhat: Any, **given: Any) -> Sequence[Any]:
        return formulas.adam(s, var, m, v, **given, vhat=vhat)


class ResourceApplyAdaMax(DenseStep):
    """Steps by the mean and the largest of the gradients."""

    var = In("resource")
    m = In("resource")
    v = In("resource")
    beta1_power = In("T")
    lr = In("T")
    beta1 = In("T")
    beta2 = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "m", "v")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.adam_of_largest(s, *values, **given)


class ResourceApplyRMSProp(DenseStep):
    """Gradients over the root of their mean square."""

    var = In("resource")
    ms = In("resource")
    mom = In("resource")
    lr = In("T")
    rho = In("T")
    momentum = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "ms", "mom")

    def formula(self, s: Any, *values: Any, **given: Any) -> Sequence[Any]:
        return formulas.root_mean_square(s, *values, **given)


class ResourceApplyCenteredRMSProp(DenseStep):
    """Gradients over their standard deviation."""

    var = In("resource")
    mg = In("resource")
    ms = In("resource")
    mom = In("resource")
    lr = In("T")
    rho = In("T")
    momentum = In("T")
    epsilon = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "mg", "ms", "mom")

    def formula(self, s: Any, var: Any, mg: Any, ms: Any, mom: Any, **given: Any) -> Sequence[Any]:
        return formulas.root_mean_square(s, var, ms, mom, **given, mg=mg)


class ResourceApplyAddSign(DenseStep):
    """Larger steps where the gradient has the sign of those before."""

    var = In("resource")
    m = In("resource")
    lr = In("T")
    alpha = In("T")
    sign_decay = In("T")
    beta = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "m")

    def formula(
        self, s: Any, var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any
    ) -> Sequence[Any]:
        m, agreement = formulas.by_sign(s, m, beta, sign_decay, grad)
        return var - lr * (alpha + agreement) * grad, m


class ResourceApplyPowerSign(DenseStep):
    """The same, by a power."""

    var = In("resource")
    m = In("resource")
    lr = In("T")
    logbase = In("T")
    sign_decay = In("T")
    beta = In("T")
    grad = In("T *s")
    use_locking = Attr(False)
    effects = changing("var", "m")

    def formula(
        self, s: Any, var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any
    ) -> Sequence[Any]:
        m, agreement = formulas.by_sign(s, m, beta, sign_decay, grad)
        return var - lr * s.exp(logbase * agreement) * grad, m
