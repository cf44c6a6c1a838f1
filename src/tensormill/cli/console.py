"""Where the commands print their tables."""

from __future__ import annotations

import os
import sys
from typing import Final

from rich.console import Console

_WIDE: Final = 400


def console() -> Console:
    """As wide as the terminal; for a file or a pipe, wide enough that no name is broken."""
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console() if known else Console(width=_WIDE)
