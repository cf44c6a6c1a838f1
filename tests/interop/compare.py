"""Whether two programs printed the same, as far as numbers of 32 bits can be."""

from __future__ import annotations

import difflib
import math
import re

# Sums are added in another order there; training makes such differences grow.
RELATIVE, ABSOLUTE = 2e-3, 1e-5
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
TIMING = ("speed",)

# The lines by which a program may differ: where TensorFlow fails, or ours is documented as better.
KNOWN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # With Keras 3.15, TensorFlow 2.21 finds no gradients: docs/keras.md says why.
    "autograph_mechanism": (
        ("Start of epoch 0", "not trained: ValueError"),
        (
            *(f"Start of epoch {epoch}" for epoch in range(3)),
            "Training loss (for one batch) at step 0 is a number",
            "Seen so far: 64 samples",
            "trained: True",
        ),
    ),
}


def differences(program: str, theirs: str, ours: str) -> list[str]:
    """The lines that differ, as a diff; nothing where the outputs are as good as the same."""
    their_known, our_known = KNOWN.get(program, ((), ()))
    wanted, found = without(kept(theirs), their_known), without(kept(ours), our_known)
    if len(wanted) == len(found) and all(map(alike, wanted, found)):
        return []
    blurred = [blur(line) for line in wanted], [blur(line) for line in found]
    changed = difflib.unified_diff(*blurred, "TensorFlow", "tensormill", lineterm="", n=1)
    return ["\n".join(changed) or "numbers differ:\n" + numbers(wanted, found)]


def kept(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if not line.startswith(TIMING)]


def without(lines: list[str], dropped: tuple[str, ...]) -> list[str]:
    return [line for line in lines if line not in dropped]


def alike(wanted: str, found: str) -> bool:
    """The same text, and numbers that are close."""
    if wanted == found:
        return True
    if NUMBER.sub("#", wanted).split() != NUMBER.sub("#", found).split():
        return False
    pairs = zip(NUMBER.findall(wanted), NUMBER.findall(found), strict=True)
    return all(
        math.isclose(float(x), float(y), rel_tol=RELATIVE, abs_tol=ABSOLUTE) for x, y in pairs
    )


def blur(line: str) -> str:
    """The line with its numbers to three digits."""
    return NUMBER.sub(lambda match: f"{float(match[0]):.3g}", line)


def numbers(wanted: list[str], found: list[str]) -> str:
    pairs = [(x, y) for x, y in zip(wanted, found, strict=False) if not alike(x, y)]
    return "\n".join(f"- {x}\n+ {y}" for x, y in pairs[:20])
