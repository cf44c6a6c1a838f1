"""What Keras imports where it finds it. Nothing that is asked of it here needs these, and they take
three times as long as Keras itself, in each process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

UNUSED: Final = ("matplotlib", "sklearn")
# The same for a process of its own, in front of what it runs.
WITHOUT: Final = f"import sys; sys.modules |= dict.fromkeys({UNUSED})\n"


@contextmanager
def without_unused() -> Iterator[None]:
    """Have imports within take them for absent, unless they are there already."""
    hidden = [name for name in UNUSED if name not in sys.modules]
    sys.modules |= dict.fromkeys(hidden)  # type: ignore[arg-type]
    yield
    for name in hidden:
        del sys.modules[name]
