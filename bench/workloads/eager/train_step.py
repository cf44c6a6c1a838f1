"""The training step of `train_step` with its tape and Adam, operation by operation."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.train_step import (
    BETA_1,
    BETA_2,
    EPSILON,
    RATE,
    SMALL,
    Network,
    checked,
    make_tf2_step,
)


def with_tf2(tf: Any) -> Timed:
    return checked(make_tf2_step(tf, is_compiled=False))


def with_torch() -> Timed:
    return checked(make_torch_step())


def make_torch_step(network: Network = SMALL) -> Callable[[], Any]:
    torch = import_module("torch")
    parameters = [torch.tensor(value, requires_grad=True) for value in network.parameters()]
    means = [torch.zeros_like(parameter) for parameter in parameters]
    squares = [torch.zeros_like(parameter) for parameter in parameters]
    steps = torch.tensor(0.0)
    x, y = (torch.tensor(value) for value in network.batch())

    def predict(x: Any) -> Any:
        *hidden, last = zip(parameters[::2], parameters[1::2], strict=True)
        for weights, bias in hidden:
            x = torch.relu(torch.matmul(x, weights) + bias)
        return torch.matmul(x, last[0]) + last[1]

    def train_step() -> Any:
        prediction = predict(x)
        loss = torch.mean(torch.square(prediction - y))
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            steps.add_(1.0)
            rate = RATE * torch.sqrt(1.0 - torch.pow(BETA_2, steps))
            rate = rate / (1.0 - torch.pow(BETA_1, steps))
            for parameter, gradient, mean, square in zip(
                parameters, gradients, means, squares, strict=True
            ):
                mean.add_((1.0 - BETA_1) * (gradient - mean))
                square.add_((1.0 - BETA_2) * (gradient * gradient - square))
                parameter.sub_(rate * mean / (torch.sqrt(square) + EPSILON))
        return loss.detach()

    return train_step


WORK = Work(
    title="eager train step: MLP 13-32-32-1, batch 1, tape and hand-written Adam",
    unit="step",
    programs=tf2(with_tf2) | {"torch": with_torch},
    goals=(Goal("torch", 1),),
)
