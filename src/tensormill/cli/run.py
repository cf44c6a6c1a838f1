"""`tensormill run SCRIPT [ARGS...]`: run a TensorFlow script on tensormill, unchanged.

The script cannot tell this from `python SCRIPT ARGS...`: `sys.argv`, `sys.path[0]`, `__main__`, the
exit code and the traceback of an error are its own. Only `import tensorflow` gives tensormill.
"""

from __future__ import annotations

import io
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from types import CodeType, ModuleType
from typing import Annotated, NoReturn

import typer

from ..compat import install
from .children import adopt_children

CANNOT_START = 2  # what Python answers to a script that is not there
INTERRUPTED = 130  # what shells report for a program that Ctrl-C ended


def run(
    script: Annotated[str, typer.Argument(metavar="SCRIPT", help="A Python file.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARGS", help="What the script finds in sys.argv[1:]."),
    ] = None,
    as_module: Annotated[
        bool, typer.Option("-m", help="SCRIPT is the name of a module, as in `python -m`.")
    ] = False,
) -> None:
    """Run a script that says `import tensorflow`, unchanged."""
    prepare = prepare_module if as_module else prepare_script
    install()
    adopt_children()
    module, code = prepare(script)
    sys.argv = [sys.argv[0], *(arguments or [])]
    raise Ready(module, code)


class Ready(SystemExit):
    """A script is to be run by who has no frames of the command line below: `pdb` shows them."""

    def __init__(self, module: ModuleType, code: CodeType) -> None:
        super().__init__(0)
        self.module, self.script = module, code


def prepare_script(script: str) -> tuple[ModuleType, CodeType]:
    """Make `__main__` and the code for a file, as `python SCRIPT` does."""
    path = os.path.abspath(script)
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        leave(f"can't open file {path!r}: {error.strerror}")
    module = new_main(path, SourceFileLoader("__main__", path))
    search_first(os.path.dirname(os.path.realpath(path)))
    sys.argv[0] = script
    return module, compile_source(source, path)


def prepare_module(name: str) -> tuple[ModuleType, CodeType]:
    """Make `__main__` and the code for a module, as `python -m NAME` does."""
    search_first(os.getcwd())
    spec = find_main(name)
    if not isinstance(spec.loader, SourceFileLoader) or spec.origin is None:
        leave(f"no source file for module {name!r}")
    module = new_main(spec.origin, spec.loader)
    module.__spec__ = spec
    module.__package__ = spec.parent
    sys.argv[0] = spec.origin
    return module, compile_source(spec.loader.get_data(spec.origin), spec.origin)


def find_main(name: str) -> ModuleSpec:
    """Return the spec of a module, or of the `__main__` of a package."""
    try:
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = find_spec(f"{name}.__main__")
    except ModuleNotFoundError as error:
        leave(str(error))
    if spec is None:
        leave(f"no module named {name!r}")
    return spec


def new_main(path: str, loader: SourceFileLoader) -> ModuleType:
    """Put a fresh `__main__` into place, where pickle and multiprocessing look for it."""
    module = ModuleType("__main__")
    module.__file__ = path
    module.__loader__ = loader
    vars(module).update(__cached__=None, __builtins__=__builtins__)
    if sys.version_info < (3, 14):  # later ones make them when somebody looks
        module.__annotations__ = {}
    sys.modules["__main__"] = module
    return module


def search_first(folder: str) -> None:
    """Make imports look here first. Python's -P says that nothing of the kind is wanted."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


def compile_source(source: bytes, path: str) -> CodeType:
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        report(error.with_traceback(None))
        raise SystemExit(1) from None


def execute(module: ModuleType, code: CodeType) -> None:
    """Run the code; an error ends the process as it would end Python.

    Raises:
        SystemExit: what the script raised, or 1 after another exception.
    """
    sys.excepthook = sys.__excepthook__  # the command line's own must not meet a script's errors
    try:
        exec(code, vars(module))
    except SystemExit:
        raise
    except BaseException as error:
        frames = error.__traceback__
        report(error.with_traceback(frames and frames.tb_next))  # without this function's frame
        raise SystemExit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1) from None


def report(error: BaseException) -> None:
    """Print an uncaught exception, by the script's own hook if it has set one."""
    sys.excepthook(type(error), error, error.__traceback__)


def leave(reason: str) -> NoReturn:
    sys.stderr.write(f"tensormill: {reason}\n")
    raise SystemExit(CANNOT_START)
