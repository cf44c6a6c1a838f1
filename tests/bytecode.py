"""Workers of pytest that find no bytecode, as in a fresh clone, let one of them compile for all.

They collect the same files in the same order, so that each would compile every one of them, and of
every library, in the same moment as the others: two thirds of what the first collection costs.
"""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The last folder: what lies here, pytest has compiled when it has collected all.
LAST = Path(__file__).parent / "xla"


def is_missing() -> bool:
    """Whether these tests were never collected by such a Python; where none is kept, it is not."""
    compiled = f"*.{sys.implementation.cache_tag}-pytest-*.pyc"
    return not (sys.dont_write_bytecode or any((LAST / "__pycache__").glob(compiled)))


@contextmanager
def one_first(path: Path) -> Iterator[None]:
    """Whoever comes first to this file goes on; others wait for its end, then go on together."""
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
            fcntl.flock(file, fcntl.LOCK_UN)
        yield
