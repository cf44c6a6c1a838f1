"""What Keras imports where it finds it. Nothing that is asked of it here needs these, and they take
five times as long as Keras itself, in each process.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

UNUSED: Final = ("jax", "matplotlib", "sklearn")


class Hidden:
    """A finder for which some modules are absent. (Not None among `sys.modules`: libraries take it
    for a sign that somebody uses them.)
    """

    def __init__(self, *names: str) -> None:
        self.names = names

    def find_spec(self, name: str, *_: object) -> None:
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hiding(names: Sequence[str]) -> str:
    """The same for a process of its own, in front of what it runs."""
    hidden = ", ".join(map(repr, names))
    return f"import sys\n{inspect.getsource(Hidden)}\nsys.meta_path.insert(0, Hidden({hidden}))\n"


WITHOUT: Final = hiding(UNUSED)


def running(script: Path) -> list[str]:
    """What `python` is told to do `-m tensormill run` with a script, without what only Keras would
    import.
    """
    text = script.read_text()
    hidden = hiding([name for name in UNUSED if name not in text])
    module = "runpy.run_module('tensormill', run_name='__main__', alter_sys=True)"
    return ["-c", f"{hidden}import runpy\n{module}", "run", str(script)]


@contextmanager
def without_unused() -> Iterator[None]:
    """Have imports within take them for absent, unless they are there already."""
    finder: Any = Hidden(*UNUSED)
    sys.meta_path.insert(0, finder)
    yield
    sys.meta_path.remove(finder)
