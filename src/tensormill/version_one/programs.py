"""`tf.compat.v1.app` and `tf.compat.v1.flags`: command lines, by absl where it is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

HINT = "tf.compat.v1.flags needs absl: `pip install absl-py`"


def _absl(module: str) -> Any:
    try:
        return import_module(f"absl.{module}")
    except ModuleNotFoundError:
        raise ImportError(HINT, name="absl") from None


def __getattr__(name: str) -> Any:
    if name == "FLAGS" or name.startswith(("DEFINE_", "mark_")):
        return getattr(_absl("flags"), name)
    raise AttributeError(name)


def run(
    main: Callable[[Sequence[str]], Any] | None = None, argv: Sequence[str] | None = None
) -> None:
    """Parse flags, call `main` with what is left of the command line, exit with what it returns.

    main: the function `main` of the script, if it is not given. Without absl there are no flags.

    >>> try:
    ...     tf.compat.v1.app.run(main=lambda argv: 3, argv=["script"])
    ... except SystemExit as end:
    ...     print(end.code)
    3

    Raises:
        SystemExit: `main` has returned. What it raises comes through.
    """
    called = main or sys.modules["__main__"].main
    arguments = list(sys.argv if argv is None else argv)
    try:
        app = _absl("app")
    except ImportError:
        sys.exit(called(arguments))
    app.run(called, arguments)
