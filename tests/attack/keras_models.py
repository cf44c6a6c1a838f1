"""Random Keras models without `build` are trained, written, read and compared."""

from __future__ import annotations

import random
import warnings

from tensormill.compat import install
from tests.keras.unbuilt import EXPORT, random_plan, what_is_lost

SUFFIXES = (".keras", ".weights.h5", EXPORT)


def attack(count: int, seed: int) -> list[str]:
    """Try `count` models; a finding names the plan, the format and what differs."""
    install()
    found: list[str] = []
    for number in range(count):
        numbers = random.Random(f"{seed}/{number}")
        plan, suffix = random_plan(numbers), numbers.choice(SUFFIXES)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Keras warns of much
            try:
                lost = what_is_lost(plan, suffix, jit=numbers.random() < 0.5)
            except Exception as error:  # whatever it is, it is found
                lost = [f"{type(error).__name__}: {error}"]
        found += [f"seed {seed}, number {number}: {plan} as {suffix}: {line}" for line in lost]
    return found
