"""`tensorflow.python.keras`: the older Keras that TensorFlow keeps inside.

It is Keras 2, which is its own library by now: where tf_keras is installed, its modules answer.
Else the public names of Keras 3 do, which fit whoever needs layers, models and `backend`, and
cannot be mixed up with `tf.keras`: they are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

HOME: Final = ("python", "keras")

# What is called otherwise in tf_keras; the longer names first.
MOVED: Final[Mapping[str, str]] = {
    "optimizer_v2.learning_rate_schedule": "optimizers.schedules.learning_rate_schedule",
    "optimizer_v2": "optimizers.legacy",
    "saving.hdf5_format": "saving.legacy.hdf5_format",
    "saving.save": "saving.legacy.save",
    "saving.saved_model": "saving.legacy.saved_model",
    "utils.all_utils": "utils",
}

# Where else names of a folder are, for those that are in another module now.
PUBLIC: Final[Mapping[str, Sequence[str]]] = {
    "": ("", "models", "layers"),
    "engine": ("layers", "models", ""),
    "layers": ("layers",),
    "losses": ("losses",),
    "metrics": ("metrics",),
    "models": ("models", ""),
    "optimizer_v2": ("optimizers", "optimizers.schedules"),
    "optimizers": ("optimizers", "optimizers.schedules"),
    "saving": ("models", "saving"),
    "utils": ("utils",),
}
KNOWN: Final = (
    "activations applications backend backend_config callbacks constraints datasets engine "
    "initializers layers losses metrics mixed_precision models optimizer_v2 optimizers "
    "preprocessing regularizers saving utils"
).split()


@cache
def roots() -> tuple[str, str] | None:
    """Keras's modules and its public names, of the Keras that there is; None where none is."""
    if find_spec("tf_keras") is not None:
        return "tf_keras.src", "tf_keras.api._v2.keras"
    if find_spec("keras") is not None:
        return "keras._tf_keras.keras", "keras._tf_keras.keras"
    return None


def has(path: Sequence[str]) -> bool:
    """Whether there is, or may be, a module at this path."""
    return not path or path[0] in KNOWN


def member(path: Sequence[str], name: str) -> Any:
    """What a module of this Keras has under a name.

    Raises:
        ImportError: there is no Keras.
        AttributeError: it has nothing of that name.
    """
    for place in places(path):
        if hasattr(place, name):
            return getattr(place, name)
    whole = ".".join(["tensorflow", *HOME, *path])
    if has([*path, name]) and not path:
        return import_module(f"{whole}.{name}")
    raise AttributeError(f"module '{whole}' has no attribute '{name}' in the installed Keras")


def places(path: Sequence[str]) -> Iterator[ModuleType]:
    """The modules in which names of a module are looked up, nearest first."""
    found = roots()
    if found is None:
        raise ImportError(
            "tensorflow.python.keras is Keras, which is not installed: "
            "`pip install --no-deps tf_keras` brings Keras 2, "
            "`pip install tensormill[keras]` Keras 3"
        )
    modules, public = found
    own = ".".join(path)
    moved = next((old for old in MOVED if f"{own}.".startswith(f"{old}.")), None)
    yield from module_at(modules, own if moved is None else MOVED[moved] + own.removeprefix(moved))
    for space in PUBLIC.get(path[0] if path else "", (own,)):
        yield from module_at(public, space)


def module_at(root: str, below: str) -> Iterator[ModuleType]:
    """The module at this path, if there is one."""
    name = f"{root}.{below}" if below else root
    try:
        yield import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
