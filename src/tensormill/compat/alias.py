"""The module `tensorflow`: a second name for tensormill, in this process only.

    from tensormill.compat import install
    install()

    import tensorflow as tf               # tensormill
    from tensorflow.math import exp       # tensormill.math.exp
    import tensorflow.nn as nn            # the very module that is tensormill.nn

`tensorflow` is a module object of its own, so that its `__name__`, `__spec__` and `__version__`
are what clients expect while those of tensormill stay true. Its submodules are no copies, except
where clients look for private modules as well (`private_names.py`): those have a face of their own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, cast

import tensormill

from ..api import top
from ..api.lazy import load
from ..api.packages import PresentLoader, is_namespace, public_namespace, spec_of_present
from ..core.tensorflow_names import move_in
from ..eager.version import GIT_VERSION, VERSION
from . import older_layers, private_keras, private_names
from .private_modules.generated import function as generated
from .private_modules.refusals import refused

NAME = "tensorflow"

# What protoc calls a module of messages.
MESSAGES: Final = "_pb2"

# Where `tf` stands once more: for programs that were written for both versions, and where editors
# find the names of TensorFlow's wheel.
SECOND: Final = (("compat", "v2"), ("_api", "v2", "v2"), ("_api", "v2"))


class Facade(ModuleType):
    """The module `tensorflow`, or a part of it that has private names.

    Each name comes from tensormill when it is first asked for: `ORIGINS` says where it looks.
    """

    def __init__(self, path: Sequence[str], public: ModuleType | None, doc: str | None) -> None:
        super().__init__(".".join([NAME, *path]), doc)
        self._path = tuple(path)
        self._public = public
        self._private = private_names.places(path)
        self._faces = private_names.faces(path)
        self._reason = private_names.reason_of_refusal(path)

    def __getattr__(self, name: str) -> Any:
        for origin in ORIGINS:
            value = origin(self, name)
            if value is not ABSENT:
                setattr(self, name, value)
                return value
        raise AttributeError(
            f"module '{self.__name__}' has no attribute '{name}' "
            f"(this is tensormill {tensormill.__version__} standing in for TensorFlow)"
        )

    @property
    def __all__(self) -> list[str]:
        """The names that tables and namespaces list for this module."""
        named = {word for one in self.spaces() for word in getattr(one, "__all__", ())}
        older = older_layers.names(self._path)
        return sorted({*self._private, *named, *older, *private_names.renamed(self._path)})

    def __dir__(self) -> list[str]:
        return sorted({*self.__all__, *(word for one in self.spaces() for word in dir(one))})

    def spaces(self) -> list[Any]:
        """The public namespaces whose names are those of this module as well."""
        faces = [public_namespace(one.split(".") if one else ()) for one in self._faces]
        return [one for one in (self._public, *faces) if one is not None]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._reason is None:
            raise TypeError(f"'module' object is not callable: {self.__name__}")
        raise NotImplementedError(f"{self.__name__} is not here: {self._reason}")


# ---------------------------------------------------------------- where names come from


def _own(module: Facade, name: str) -> Any:
    """What a table has for this module alone."""
    return load(*module._private[name]) if name in module._private else ABSENT


def _older_layer(module: Facade, name: str) -> Any:
    is_here = ".".join(module._path) in older_layers.PLACES
    return older_layers.member(module._path, name) if is_here else ABSENT


def _of_private_keras(module: Facade, name: str) -> Any:
    path = module._path
    if path[:2] != private_keras.HOME or private_names.places([*path, name]):
        return ABSENT  # a module with names of its own is a module below, like others
    return private_keras.member(path[2:], name)


def _refused(module: Facade, name: str) -> Any:
    """What nothing here does; a name in lower letters may be a module, which can be called."""
    reason = private_names.reason_of_refusal([*module._path, name])
    return (
        ABSENT if reason is None or name.islower() else refused(f"{module.__name__}.{name}", reason)
    )


def _below(module: Facade, name: str) -> Any:
    found = find_namespace([*module._path, name])
    return ABSENT if found is None else found


def _renamed(module: Facade, name: str) -> Any:
    """What is public under another name."""
    public = private_names.public_name(module._path, name)
    if public is None:
        return ABSENT
    *space, last = public.split(".")
    return getattr(public_namespace(space), last)


def _shown(module: Facade, name: str) -> Any:
    """What is public under this name."""
    found = (getattr(one, name, ABSENT) for one in module.spaces())
    return next((one for one in found if one is not ABSENT), ABSENT)


def _raw(module: Facade, name: str) -> Any:
    made = generated(name) if "raw_ops" in module._faces else None
    return ABSENT if made is None else made


ABSENT: Final = object()

# Asked in this order, until one has the name.
ORIGINS: Final[Sequence[Callable[[Facade, str], Any]]] = (
    _own, _older_layer, _of_private_keras, _refused, _below, _renamed, _shown, _raw,
)  # fmt: skip


class AliasFinder(MetaPathFinder):
    """Finds `tensorflow.a.b` as the namespace that tensormill has at `a.b`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{NAME}."):
            return None
        names = without_version(fullname.split(".")[1:])
        if names and not (
            private_names.has_private_module(names) or is_namespace(".".join([NAME, *names]))
        ):
            return None
        return spec_of_present(fullname, partial(find_namespace, names))

    def find_distributions(self, context: Any) -> Iterator[Any]:
        """The distribution `tensorflow`, for `importlib.metadata`, which asks finders for this."""
        from .distribution import distributions  # few programs ask

        return distributions(context)


def without_version(names: Sequence[str]) -> Sequence[str]:
    """The path that `tf.compat.v2.a.b` is another one for, `tf.a.b`; `compat` may stand twice."""
    while tuple(names[:1]) == ("compat",) and tuple(names[2:3]) == ("compat",):
        names = names[2:]
    before = next((one for one in SECOND if tuple(names[: len(one)]) == one), ())
    return without_version(names[len(before) :]) if before else names


def find_namespace(names: Sequence[str]) -> ModuleType | None:
    """Return the module at these names below `tf`, or None."""
    names = without_version(names)
    present = sys.modules.get(".".join([NAME, *names]))
    if present is not None:
        return present
    public = public_namespace(names)
    if not private_names.has_private_module(names):
        return public
    return make_facade(names, public)


def install() -> ModuleType:
    """Make `import tensorflow` mean tensormill in this process; return that module.

    Keras, where it is installed, then runs on it: its backend is said to be TensorFlow, unless the
    environment says otherwise. A second call changes nothing.

    Raises:
        RuntimeError: TensorFlow itself has been imported already. Objects of the two would mix.
    """
    present = sys.modules.get(NAME)
    if isinstance(present, Facade):
        return present
    if present is not None:
        raise RuntimeError(
            f"TensorFlow itself is already imported in this process, from "
            f"{getattr(present, '__file__', 'an unknown place')}: tensormill cannot take its name. "
            f"Install tensormill under it before anything imports tensorflow, "
            f"or start the program with `tensormill run`."
        )
    sys.meta_path.insert(0, AliasFinder())
    facade = make_facade((), top)
    vars(facade).update(__version__=VERSION, __git_version__=GIT_VERSION)
    os.environ.setdefault("KERAS_BACKEND", NAME)
    move_in()
    return facade


def declare_messages(path: Sequence[str]) -> None:
    """Let what protoc made of a library's messages import those of a module of TensorFlow's."""
    from ..graph.proto.messages import declare_file  # few programs import such modules

    file = "/".join([NAME, *path]).removesuffix(MESSAGES) + ".proto"
    declare_file(file, private_names.places(path))


def make_facade(path: Sequence[str], public: ModuleType | None) -> Facade:
    doc = getattr(public, "__doc__", None) if path else tensormill.__doc__
    facade = Facade(path, public, doc)
    name = facade.__name__
    loader: Any = PresentLoader(lambda: facade)
    spec = ModuleSpec(name, loader, origin=tensormill.__file__, is_package=True)
    facade.__spec__ = spec
    facade.__loader__ = spec.loader
    facade.__package__ = name
    # Empty: submodules come from the finder alone, never from a TensorFlow on the disk.
    facade.__path__ = []
    facade.__file__ = tensormill.__file__
    if path and path[-1].endswith(MESSAGES):
        declare_messages(path)
    return cast(Facade, sys.modules.setdefault(name, facade))  # another thread may have been here
