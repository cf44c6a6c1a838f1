"""Whether the program had set logging up before it imported the library.

TensorFlow asks that at its import, and writes its own lines where nobody did. Here Python's logging
is loaded with the first thing to say, when the program may have set it up since.
"""

from __future__ import annotations

import sys

_was_set_up = False


def look() -> None:
    """Note how things are now, at the import."""
    global _was_set_up
    logging = sys.modules.get("logging")
    if logging is not None:
        loggers = logging.getLogger(), logging.getLogger("tensorflow")
        _was_set_up = any(one.handlers for one in loggers)


def was_set_up() -> bool:
    return _was_set_up
