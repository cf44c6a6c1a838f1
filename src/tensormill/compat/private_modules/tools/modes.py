"""Numbers of the modes that `eager.context` has."""

from __future__ import annotations

from typing import Final

GRAPH_MODE: Final = 0
EAGER_MODE: Final = 1
SYNC: Final = 0
ASYNC: Final = 1
