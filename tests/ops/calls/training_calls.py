"""Steps of optimizers: what variables are after two of them, written for TensorFlow and for us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call

RATES: dict[str, float] = {
    "alpha": 0.1, "lr": 0.25, "rho": 0.875, "epsilon": 0.01, "l1": 0.125, "l2": 0.25,
    "l2_shrinkage": 0.5, "lr_power": -0.5, "momentum": 0.75, "beta1_power": 0.5,
    "beta2_power": 0.75, "beta1": 0.875, "beta2": 0.9, "beta": 0.875, "sign_decay": 0.5,
    "logbase": 0.75,
}  # fmt: skip

# Of each: its variables, its scalars.
STEPS: dict[str, tuple[str, str]] = {
    "GradientDescent": ("var", "alpha"),
    "ProximalGradientDescent": ("var", "alpha l1 l2"),
    "Adadelta": ("var accum accum_update", "lr rho epsilon"),
    "Adagrad": ("var accum", "lr"),
    "AdagradV2": ("var accum", "lr epsilon"),
    "ProximalAdagrad": ("var accum", "lr l1 l2"),
    "AdagradDA": ("var gradient_accumulator gradient_squared_accumulator", "lr l1 l2 global_step"),
    "Ftrl": ("var accum linear", "lr l1 l2 lr_power"),
    "FtrlV2": ("var accum linear", "lr l1 l2 l2_shrinkage lr_power"),
    "Momentum": ("var accum", "lr momentum"),
    "KerasMomentum": ("var accum", "lr momentum"),
    "Adam": ("var m v", "beta1_power beta2_power lr beta1 beta2 epsilon"),
    "AdamWithAmsgrad": ("var m v vhat", "beta1_power beta2_power lr beta1 beta2 epsilon"),
    "AdaMax": ("var m v", "beta1_power lr beta1 beta2 epsilon"),
    "RMSProp": ("var ms mom", "lr rho momentum epsilon"),
    "CenteredRMSProp": ("var mg ms mom", "lr rho momentum epsilon"),
    "AddSign": ("var m", "lr alpha sign_decay beta"),
    "PowerSign": ("var m", "lr logbase sign_decay beta"),
}
OF_ROWS = (
    "ProximalGradientDescent", "Adadelta", "Adagrad", "AdagradV2", "ProximalAdagrad", "AdagradDA",
    "Ftrl", "FtrlV2", "Momentum", "KerasMomentum", "RMSProp", "CenteredRMSProp",
)  # fmt: skip
FLAGS: dict[str, str] = {
    "Adagrad": "update_slots", "AdagradV2": "update_slots", "Ftrl": "multiply_linear_by_lr",
    "FtrlV2": "multiply_linear_by_lr", "Momentum": "use_nesterov", "KerasMomentum": "use_nesterov",
    "Adam": "use_nesterov",
}  # fmt: skip
INDICES = np.array([2, 0, 2, 3, 2], np.int32)  # a row in three turns


def step(name: str, of_rows: bool = False, **changed: Any) -> Callable[..., Any]:
    """The call that makes variables of the operands, applies a step twice, and gives them."""
    states, scalars = (words.split() for words in STEPS[name])

    def call(tf: Any, gradient: Any, *values: Any) -> Any:
        variables = [tf.Variable(value) for value in values]
        function = getattr(tf.raw_ops, f"Resource{'Sparse' * of_rows}Apply{name}")
        given = {one: tf.constant(RATES[one], values[0].dtype) for one in scalars if one in RATES}
        if "global_step" in scalars:
            given["global_step"] = tf.constant(3, tf.int64)
        if of_rows:
            given["indices"] = tf.constant(INDICES)
        given |= {key: tf.constant(value, values[0].dtype) if key in RATES else value
                  for key, value in changed.items()}  # fmt: skip
        handles = {one: variable.handle for one, variable in zip(states, variables, strict=True)}
        slope = "delta" if not of_rows and "GradientDescent" in name else "grad"
        for _ in range(2):
            function(**handles, **given, **{slope: gradient})
        return [variable.value() for variable in variables]

    return call


def arrays(name: str, of_rows: bool = False, dtype: Any = np.float64) -> list[Any]:
    """A gradient, and a value for each variable, none of them negative but the first."""
    values = np.random.default_rng(len(name))
    gradient = values.normal(size=(5, 2) if of_rows else (4, 2)).astype(dtype)
    count = len(STEPS[name][0].split())
    first = values.normal(size=(4, 2)).astype(dtype)
    rest = [values.uniform(0.5, 1.5, size=(4, 2)).astype(dtype) for _ in range(count - 1)]
    return [gradient, first, *rest]


CALLS: dict[str, Call] = {
    **{f"{name} step": (step(name), arrays(name)) for name in STEPS},
    **{f"{name} step, float32": (step(name), arrays(name, dtype=np.float32)) for name in STEPS},
    **{
        f"{name} step, otherwise": (
            step(name, **{FLAGS[name]: FLAGS[name] != "update_slots"}),
            arrays(name),
        )
        for name in FLAGS
    },
    **{f"{name} step of rows": (step(name, True), arrays(name, True)) for name in OF_ROWS},
    **{
        f"{name} step of rows, float32": (step(name, True), arrays(name, True, np.float32))
        for name in OF_ROWS
    },
    **{
        f"{name} step of rows, otherwise": (
            step(name, True, **{FLAGS[name]: FLAGS[name] != "update_slots"}),
            arrays(name, True),
        )
        for name in FLAGS
        if name in OF_ROWS
    },
    **{
        f"{name} step without penalty": (step(name, l1=0.0, l2=0.0), arrays(name))
        for name in STEPS
        if "l1" in STEPS[name][1]
    },
    "step of another shape": (
        step("Momentum"),
        [np.ones((2, 4)), np.ones((4, 2)), np.ones((4, 2))],
    ),
    "step of variables of several shapes": (
        step("Momentum"),
        [np.ones((4, 2)), np.ones((4, 2)), np.ones(4)],
    ),
    "step by a vector": (
        lambda tf, x: step("GradientDescent", alpha=[0.5, 0.5])(tf, x, x),
        [np.ones(2)],
    ),
    "step of rows that are not there": (
        step("Momentum", True),
        [np.ones((5, 2)), np.ones((3, 2)), np.ones((3, 2))],
    ),
    "step of too few rows": (
        step("Momentum", True),
        [np.ones((4, 2)), np.ones((4, 2)), np.ones((4, 2))],
    ),
    "step of rows of a scalar": (step("Momentum", True), [np.ones(5), np.ones(()), np.ones(())]),
    "step against its limits": (step("Ftrl", True, lr=0.0), arrays("Ftrl", True)),
    "step by a negative penalty": (step("ProximalAdagrad", l1=-1.0), arrays("ProximalAdagrad")),
}
COMPILED: list[str] = []  # variables are not made in functions: test_training_steps.py
