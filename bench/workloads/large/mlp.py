"""The train step of `train_step` with layers of 1024, on 256 rows: 2.7 billion operations."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.work import Bound, Goal, Timed, Work, product, tf2, trained
from bench.workloads.eager.train_step import make_torch_step
from bench.workloads.train_step import Network, checked, make_jax_step, make_tf2_step

ROWS, WIDTH = 256, 1024
NETWORK = Network((WIDTH, WIDTH, WIDTH), ROWS)

LAYER = product(ROWS, WIDTH, WIDTH)
# Adam reads a parameter, its gradient, its mean and its square, and writes all but the gradient.
ADAM = 7 * 4 * sum(value.size for value in NETWORK.parameters())


def with_tf2(tf: Any) -> Timed:
    return checked(make_tf2_step(tf, NETWORK))


def with_jax() -> Timed:
    return checked(make_jax_step(NETWORK), import_module("jax").block_until_ready)


def with_torch() -> Timed:
    return checked(make_torch_step(NETWORK))


WORK = Work(
    title="train step: MLP 1024³, batch 256, hand-written Adam",
    unit="step",
    programs=tf2(with_tf2) | {"jax": with_jax, "torch": with_torch},
    goals=(Goal("bound", 1.1),),
    bound=Bound(operations=trained(LAYER, LAYER), bytes=ADAM),
)
