"""The function that is planned: found in a script that runs for it, with what it takes."""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ...core.dtypes import as_dtype
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...eager.storage import Storage
from ...eager.tensor import EagerHandle
from ...function.concrete import ConcreteFunction
from ...function.function import Function
from ...graph.ir import Graph
from ...graph.passes.implementations import implemented
from ...module.module import Module, is_variable, path_text
from ..run import compile_source, search_first
from .request import CannotPlan, PlanRequest, StatedShape

DEFAULT: Final = "float32"  # what is computed in where nobody says it


class Taken(NamedTuple):
    """One thing that a function takes: an argument, a variable or a constant.

    storage: of a variable.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    dtype: Any  # NumPy's
    storage: Storage | None = None


class Subject(NamedTuple):
    """A traced function, and what it takes, in the order of the inputs of its graph."""

    graph: Graph
    taken: Sequence[Taken]


def loaded(script: str) -> ModuleType:
    """The script as a module of its own name: what stands behind `__name__ == "__main__"` is left.

    What the script raises comes through.
    """
    path = os.path.abspath(script)
    module = ModuleType(Path(script).stem)
    module.__file__ = path
    module.__loader__ = SourceFileLoader(module.__name__, path)
    sys.modules[module.__name__] = module
    search_first(os.path.dirname(os.path.realpath(path)))
    with io.open_code(path) as file:
        code = compile_source(file.read(), path)
    exec(code, vars(module))
    return module


def subject_of(module: ModuleType, request: PlanRequest) -> Subject:
    """The function of the script, traced.

    Raises:
        CannotPlan: there is none, or it is not known what it takes.
    """
    concrete = _concrete(_named(module, request), request)
    callee = concrete.callee
    graph = implemented(callee.graph)
    names = [value.name for value in graph.parameters]
    for name in request.shapes:
        if name not in names:
            raise CannotPlan(f"{request.function} has no argument {name!r}, it has {_list(names)}")
    taken = [_argument(value.name, value.spec, request) for value in graph.parameters]
    taken += [_captured(*pair) for pair in zip(graph.captures, callee.captured, strict=True)]
    return Subject(graph, _by_own_names(taken, module))


def _by_own_names(taken: Sequence[Taken], module: ModuleType) -> list[Taken]:
    """Variables of one name, as all have that were given none, by where the script has them."""
    counted = Counter(one.name for one in taken)
    script = Module("script")
    vars(script).update((name, one) for name, one in vars(module).items() if name[:2] != "__")
    found = script._flatten(predicate=is_variable, with_path=True, expand_composites=True)
    paths = {id(variable._storage): path_text(path) for path, variable in found}
    return [
        one._replace(name=paths.get(id(one.storage), one.name)) if counted[one.name] > 1 else one
        for one in taken
    ]


def _named(module: ModuleType, request: PlanRequest) -> Any:
    found: Any = module
    for word in request.function.split("."):
        found = getattr(found, word, None)
    if isinstance(found, (Function, ConcreteFunction)):
        return found
    what = "has no" if found is None else f"has a {type(found).__name__}, no tf.function, called"
    raise CannotPlan(f"{request.script} {what} {request.function!r}")


def _concrete(function: Function | ConcreteFunction, request: PlanRequest) -> ConcreteFunction:
    if isinstance(function, ConcreteFunction):
        return function
    if function.input_signature is not None:
        return function.get_concrete_function()
    traces = function._list_all_concrete_functions()
    if len(traces) == 1 and not request.shapes:
        return traces[0]
    names = list(inspect.signature(function.python_function).parameters)
    if unknown := [name for name in names if name not in request.shapes]:
        raise CannotPlan(
            f"what {request.function} takes is not known: give it an input_signature, or say "
            f"--shape {unknown[0]}=SIZES"
        )
    specs = {name: _spec(name, request.shapes[name]) for name in names}
    return function.get_concrete_function(**specs)


def _spec(name: str, given: StatedShape) -> TensorSpec:
    return TensorSpec(given.sizes, _dtype(name, given.dtype or DEFAULT), name)


def _dtype(name: str, text: str) -> Any:
    try:
        return as_dtype(text)
    except TypeError:
        raise CannotPlan(f"--shape {name}: there is no dtype {text!r}") from None


def _argument(name: str, spec: Any, request: PlanRequest) -> Taken:
    if not isinstance(spec, TensorSpec):
        raise CannotPlan(f"the argument {name!r} of {request.function} is no tensor")
    given = request.shapes.get(name)
    if given is not None and not spec.shape.is_compatible_with(given.sizes):
        raise CannotPlan(f"--shape {name}: {request.function} takes the shape {spec.shape}")
    if given is not None and given.dtype not in (None, spec.dtype.name):
        raise CannotPlan(f"--shape {name}: {request.function} takes {spec.dtype.name}")
    if given is None and not spec.shape.is_fully_defined():
        raise CannotPlan(
            f"the argument {name!r} of {request.function} has the shape {spec.shape}: say "
            f"--shape {name}=SIZES"
        )
    known = [size or 0 for size in spec.shape.as_list()] if given is None else given.sizes
    return Taken(name, "argument", tuple(known), spec.dtype.storage)


def _captured(value: Any, tensor: Any) -> Taken:
    name = value.name
    if not isinstance(tensor, EagerHandle):
        return Taken(name, "constant", tuple(tensor.shape), tensor.dtype.storage)
    storage = tensor._array
    if not isinstance(storage, Storage):
        raise CannotPlan(f"what the function uses, {name!r}, is an object of Python's")
    shape = tuple(storage.read().shape)
    return Taken(
        storage.name.removesuffix(":0"), "variable", shape, storage.spec.dtype.storage, storage
    )


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
