"""`tensorflow.python.util.tf_export`: what a symbol is called in public, and the way back.

Symbols of libraries that export themselves (`keras_export`) carry their names; those of this
library are looked up in the tables of its namespaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any, Final, TypeVar

from ...api import top
from ...api.packages import public_namespace
from ...eager.indexing import get_item
from ...ops.ragged.slicing import part_of

Symbol = TypeVar("Symbol")

OURS: Final = "tensorflow"
# Of several names of one function of TensorFlow's, which one its files have: measured there.
CHOSEN: Final = frozenset(
    "dtypes.DType dtypes.as_dtype dtypes.complex dtypes.saturate_cast linalg.eig linalg.eigvals "
    "linalg.matmul linalg.sqrtm math.floormod nn.log_softmax nn.softmax nn.softsign "
    "sparse.SparseTensor".split()
)
FIRST: Final = ("math.", "debugging.", "strings.", "io.")
# Not asked for names: they have other functions' names once more.
ASIDE: Final = frozenset(["compat", "keras", "raw_ops", "experimental"])

# Operators that have no other public name.
OPERATORS: Final = {
    "__operators__.getitem": get_item,
    "__operators__.ragged_getitem": part_of,
}

_named: dict[str, dict[str, Any]] = {}


class api_export:
    """A decorator: the decorated symbol has these public names in an API."""

    def __init__(self, *args: str, **options: Any) -> None:
        self._names = args
        self._old_names: Sequence[str] = options.get("v1", args)
        self._api_name: str = options.get("api_name", OURS)

    def __call__(self, symbol: Symbol) -> Symbol:
        setattr(symbol, _attribute(self._api_name), self._names)
        setattr(symbol, f"{_attribute(self._api_name)}_v1", tuple(self._old_names))
        for name in self._names:
            _named.setdefault(self._api_name, {})[name] = symbol
        return symbol

    def export_constant(self, module_name: str, name: str) -> None:
        """Nothing: what is no function or class carries no names."""


def keras_export(*names: str, **options: Any) -> api_export:
    """The decorated symbol has these names in Keras."""
    return api_export(*names, api_name="keras")


def tf_export(*names: str, **options: Any) -> api_export:
    """The decorated symbol has these names, as if it were TensorFlow's."""
    return api_export(*names)


def _attribute(api_name: str) -> str:
    return f"_{'tf' if api_name == OURS else api_name}_api_names"


def get_canonical_name_for_symbol(
    symbol: Any, api_name: str = OURS, add_prefix_to_v1_names: bool = False
) -> str | None:
    """The first public name of a symbol: `"math.add"` of `tf.add`; None where it has none."""
    own = getattr(symbol, "__dict__", {}).get(_attribute(api_name))
    if own:
        return own[0]
    if api_name != OURS or not callable(symbol):
        return None
    return _canonical_names().get(id(symbol))


def get_symbol_from_name(name: str) -> Any:
    """What has a public name; None where nothing has."""
    for named in _named.values():
        if name in named:
            return named[name]
    if name in OPERATORS:
        return OPERATORS[name]
    *path, last = name.split(".")
    return getattr(public_namespace(path), last, None)


@cache
def _canonical_names() -> dict[int, str]:
    """The name to tell a public function by, by its identity: functions of modules stay."""
    names: dict[int, list[str]] = {}
    for name, symbol in _public_symbols((), top):
        names.setdefault(id(symbol), []).append(name)
    found = {key: _canonical(several) for key, several in names.items()}
    return found | {id(symbol): name for name, symbol in OPERATORS.items()}


def _public_symbols(path: Sequence[str], module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in dir(module):
        value = getattr(module, name, None)
        if isinstance(value, ModuleType):
            if name not in ASIDE and len(path) < 2:
                yield from _public_symbols((*path, name), value)
        elif callable(value):
            yield ".".join((*path, name)), value


def _canonical(names: Sequence[str]) -> str:
    for name in names:
        if name in CHOSEN:
            return name
    for start in FIRST:
        within = [name for name in names if name.startswith(start)]
        if within:
            return min(within, key=_length)
    return min(names, key=_length)


def _length(name: str) -> tuple[int, str]:
    return name.count("."), name
