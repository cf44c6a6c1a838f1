"""What passes here of what passes on TensorFlow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

import numpy as np

from .catalogue import Library
from .sides import Found

# Sums are added in another order there, and training makes such differences grow.
RELATIVE, ABSOLUTE = 2e-3, 1e-5
SHOWN: Final = 3000


@dataclass
class Outcome:
    """Tests that pass on TensorFlow: those that pass here, and why the others do not."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    # Those that fail on TensorFlow, too, say nothing about us.
    fails_there: list[str] = field(default_factory=list)

    def unexpected(self, library: Library) -> dict[str, str]:
        return {
            name: why for name, why in self.failed.items() if reason(name, library.lacking) is None
        }

    def complaints(self, library: Library) -> list[str]:
        """What the catalogue does not say, or says though it is not so."""
        worse = [
            f"{name} fails, and is not known to:\n{why[-SHOWN:]}"
            for name, why in self.unexpected(library).items()
        ]
        better = [
            f"{pattern} is listed as lacking, and nothing of that name fails"
            for pattern in library.lacking
            if not any(fnmatchcase(name, pattern) for name in self.failed)
        ]
        return worse + better


def reason(name: str, lacking: Mapping[str, str]) -> str | None:
    return next((why for pattern, why in lacking.items() if fnmatchcase(name, pattern)), None)


def compared(theirs: Found, ours: Found) -> Outcome:
    outcome = Outcome(fails_there=sorted(theirs.failed))
    whole = "\n".join(ours.failed.values())
    for name, wanted in theirs.passed.items():
        if name not in ours.passed:
            outcome.failed[name] = ours.failed.get(name, f"was not run:\n{whole}")
        elif difference := differs(wanted, ours.passed[name]):
            outcome.failed[name] = difference
        else:
            outcome.passed.append(name)
    return outcome


def differs(wanted: Any, found: Any, at: str = "the result") -> str:
    """What is not the same in two results; nothing where they are."""
    if type(wanted) is not type(found):
        return f"{at}: {found!r} is no {type(wanted).__name__} like {wanted!r}"
    if isinstance(wanted, dict | list):
        return differing_parts(wanted, found, at)
    if isinstance(wanted, np.ndarray):
        return differing_arrays(wanted, found, at)
    if isinstance(wanted, float):
        return differing_arrays(np.asarray(wanted), np.asarray(found), at)
    return "" if wanted == found else f"{at}: {found!r}, and there {wanted!r}"


def differing_parts(wanted: Any, found: Any, at: str) -> str:
    keys, others = (
        list(x) if isinstance(x, dict) else list(range(len(x))) for x in (wanted, found)
    )
    if keys != others:
        return f"{at} has {others}, and there {keys}"
    return next(filter(None, (differs(wanted[k], found[k], f"{at}[{k!r}]") for k in keys)), "")


def differing_arrays(wanted: np.ndarray, found: np.ndarray, at: str) -> str:
    if (wanted.dtype, wanted.shape) != (found.dtype, found.shape):
        return (
            f"{at} is {found.dtype} of shape {found.shape}, "
            f"and there {wanted.dtype} of shape {wanted.shape}"
        )
    if wanted.dtype.kind not in "fc":
        return "" if np.array_equal(wanted, found) else f"{at}:\n{found}\nand there\n{wanted}"
    if np.allclose(found, wanted, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True):
        return ""
    return f"{at} differs by {np.nanmax(np.abs(found - wanted))}:\n{found}\nand there\n{wanted}"
