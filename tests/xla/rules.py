"""Samples of operations in XLA's programs, many of them in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import jax
import numpy as np

from tensormill.ops.demand_readers import EAGER
from tensormill.ops.op import REGISTRY, Op
from tensormill.xla.builder import rule_of
from tensormill.xla.language import Language, NotInXla
from tests.ops import rules
from tests.ops.samples import SAMPLES, TOPIC_OF, Sample

# Compiled quickly: what a program computes does not depend on it.
OPTIONS: dict[str, Any] = {
    "xla_backend_optimization_level": 0,
    "xla_llvm_disable_expensive_passes": True,
}


class OfSamples(Language):
    """The language of rules where constants are NumPy's arrays."""

    def known(self, x: Any) -> np.ndarray[Any, Any] | None:
        return None if isinstance(x, jax.Array) else np.asarray(x)


def has_rule(op: type[Op]) -> bool:
    """Whether it has a rule of its own, or that of a family."""
    return op.expand is None and rule_of(op) is not None


def cases() -> Iterator[tuple[str, int]]:
    """The names and numbers of all samples of numbers of operations that have rules."""
    for name, samples in SAMPLES.items():
        if has_rule(REGISTRY[name]):
            for number, sample in enumerate(samples):
                if all(one.dtype.kind != "O" and one.dtype.names is None for one in arrays(sample)):
                    yield name, number


def arrays(sample: Sample) -> list[Any]:
    return rules.flat(sample.operands)


def topic_cases(topic: str) -> list[tuple[str, int]]:
    return [(name, number) for name, number in cases() if TOPIC_OF[name] == topic]


def computed(chosen: Sequence[tuple[str, int]]) -> list[list[np.ndarray[Any, Any]] | None]:
    """What one program gives for samples, told by their names and numbers; None: it is refused."""
    samples = [(REGISTRY[name], SAMPLES[name][number]) for name, number in chosen]
    operands = rules.arrays_of(samples)

    def program(*parameters: Any) -> list[list[Any] | None]:
        remaining = iter(parameters)
        return [applied(op, sample, remaining) for op, sample in samples]

    with jax.enable_x64(True):
        lowered = jax.jit(program).lower(*operands)
        found = lowered.compile(compiler_options=OPTIONS)(*operands)
    return [None if one is None else [np.asarray(output) for output in one] for one in found]


def applied(op: type[Op], sample: Sample, parameters: Iterator[Any]) -> list[Any] | None:
    """The outputs of a rule, of the next parameters and of what is constant in the sample.

    Where sizes depend on elements, integers are constants as well; None where that does not help.
    """
    operands = [
        operand if position in sample.fixed
        else tuple(next(parameters) for _ in operand) if type(operand) is tuple
        else next(parameters)
        for position, operand in enumerate(sample.operands)
    ]  # fmt: skip
    for own in (operands, constants_where_whole(sample, operands)):
        with suppress(NotInXla):
            return ruled(op, sample, own)
    return None


def constants_where_whole(sample: Sample, operands: list[Any]) -> list[Any]:
    pairs = zip(operands, sample.operands, strict=True)
    return [given if is_whole(given) else own for own, given in pairs]


def is_whole(operand: Any) -> bool:
    return all(one.dtype.kind in "iu" for one in rules.flat([operand]))


def ruled(op: type[Op], sample: Sample, operands: list[Any]) -> list[Any]:
    attrs = rules.attributes(sample)
    application = op(*operands, **attrs)
    concrete = op(*sample.operands, **attrs)
    application.found = None if op.demands is None else concrete.demands(EAGER)
    result = application.xla(OfSamples())
    return [result] if op.single else list(result)
