"""`tf.Module`: an object that knows the variables and modules among its attributes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from ..core.signatures import signature_of
from ..core.trackable import BOOKKEEPING
from ..core.tree import Composite
from ..eager.scopes import name_scope as _name_scope
from ..eager.variable import Variable
from .trackable import AutoTrackable

Method = TypeVar("Method", bound=Callable[..., Any])
Predicate = Callable[[Any], bool]
Path = tuple[Any, ...]

_WORD_END = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?!^)(?=[A-Z][a-z])")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Module(AutoTrackable):
    """Base of classes that own variables.

    `name` is the class's name in snake_case unless another is given. Variables and modules are
    found in attributes, and in lists, tuples and mappings there; they are listed once, the
    module's own variables before those of its submodules, attributes in alphabetical order.

    >>> class Dense(tf.Module):
    ...     def __init__(self):
    ...         super().__init__(name='dense')
    ...         self.w = tf.Variable(tf.ones([2, 1]), name='w')
    ...     def __call__(self, x):
    ...         return x @ self.w
    >>> dense = Dense()
    >>> dense(tf.constant([[1.0, 2.0]])).numpy(), [one.name for one in dense.trainable_variables]
    (array([[3.]], dtype=float32), ['w:0'])

    Raises:
        ValueError: the name is no Python identifier.
    """

    # Attributes that are not to be looked through, here or by libraries that walk over modules
    # themselves; subclasses add theirs.
    _TF_MODULE_IGNORED_PROPERTIES: ClassVar[frozenset[str]] = BOOKKEEPING | {"_name", "_name_scope"}

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        # Here and not in __init__: a subclass may forget to call that. Its scope is made there:
        # Sonnet takes modules without one for those whose subclass has forgotten it.
        made.__dict__["_name"] = snake_case(cls.__name__)
        return made

    if TYPE_CHECKING:  # what users put there

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, name: str | None = None) -> None:
        if name is None and hasattr(type(self), "_name_scope"):
            return
        own: str = self.__dict__["_name"] if name is None else name
        if not _IDENTIFIER.fullmatch(str(own)):
            raise ValueError(
                f"'{own}' is not a valid module name. Module names must be Python identifiers"
            )
        self._give_name(own)

    def _give_name(self, name: str) -> None:
        self.__dict__["_name"] = name
        if hasattr(type(self), "_name_scope"):  # a method of a class that scopes in its own way
            return
        with _name_scope(name) as scope:
            self.__dict__["_name_scope"] = _name_scope(scope)

    @property
    def name(self) -> str:
        """The name that was given, or the class's in snake case.

        >>> tf.Module().name, tf.Module('first').name
        ('module', 'first')
        """
        # By its name: classes may hand on all attributes, and a dict of them to flatten it.
        return self._name  # type: ignore[no-any-return]

    @property
    def name_scope(self) -> Any:
        """The name scope of this module's operations and variables, to be entered.

        >>> layer = tf.Module('layer')
        >>> with layer.name_scope:
        ...     print(tf.Variable(1.0, name='w').name)
        layer/w:0
        """
        scope = getattr(self, "_name_scope", None)
        if scope is None:
            return _name_scope(self.name)
        # Each time another one: threads may be within it at the same time.
        return _name_scope(scope.name) if isinstance(scope, _name_scope) else scope

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """Decorate a method to run within the module's name scope.

        >>> class Layer(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def __call__(self):
        ...         return tf.Variable(1.0, name='w').name
        >>> Layer()()
        'layer/w:0'
        """

        @wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        vars(scoped)["__signature__"] = signature_of(method)
        return scoped  # type: ignore[return-value]

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the module and of those below it, by the names of attributes.

        >>> layer = tf.Module(name='layer')
        >>> layer.w, layer.n = tf.Variable(1.0, name='w'), tf.Variable(0, False, name='n')
        >>> [v.name for v in layer.variables]
        ['n:0', 'w:0']
        """
        return tuple(self._flatten(predicate=is_variable, expand_composites=True))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the `variables` that are trainable.

        >>> layer = tf.Module(name='layer')
        >>> layer.w, layer.n = tf.Variable(1.0, name='w'), tf.Variable(0, False, name='n')
        >>> [v.name for v in layer.trainable_variables]
        ['w:0']
        """
        return tuple(self._flatten(predicate=is_trainable, expand_composites=True))

    @property
    def non_trainable_variables(self) -> tuple[Any, ...]:
        """Those of the `variables` that are not trainable.

        >>> layer = tf.Module(name='layer')
        >>> layer.w, layer.n = tf.Variable(1.0, name='w'), tf.Variable(0, False, name='n')
        >>> [v.name for v in layer.non_trainable_variables]
        ['n:0']
        """
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules below this one.

        >>> model = tf.Module()
        >>> model.parts = [tf.Module('a'), tf.Module('b')]
        >>> [one.name for one in model.submodules]
        ['a', 'b']
        """
        return tuple(self._flatten(predicate=is_module))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Predicate | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
        expand_composites: bool = False,
    ) -> Iterator[Any]:
        """What `predicate` accepts in attributes, then what it accepts in the submodules there.

        Yields pairs (path, value) if `with_path`.
        """
        walk = ModuleWalk(
            predicate or (lambda _: True), attribute_traversal_key, recursive, expand_composites
        )
        for path, leaf in walk.module(self, ()):
            yield (path, leaf) if with_path else leaf

    def __repr__(self) -> str:
        shapes = ", ".join(
            f"{path_text(path)}{list(v.shape) if v.shape.rank is not None else '?'}"
            for path, v in self._flatten(predicate=is_variable, with_path=True)
        )
        return f"<{type(self).__name__} '{self.name}': {shapes or 'no variables'}>"


class ModuleWalk:
    """One walk over a module: everything is met once."""

    def __init__(
        self,
        predicate: Predicate,
        order: Callable[[str], Any] | None,
        recursive: bool,
        expand_composites: bool,
    ) -> None:
        self.predicate = predicate
        self.order = order
        self.recursive = recursive
        self.expand_composites = expand_composites
        self.seen: set[int] = set()

    def module(self, module: Module, path: Path) -> Iterator[tuple[Path, Any]]:
        self.seen.add(id(module))
        ignored = module._TF_MODULE_IGNORED_PROPERTIES
        below: list[tuple[Path, Module]] = []
        attributes: dict[str, Any] = {
            name: x
            for name, x in vars(module).items()
            if name not in ignored and name not in BOOKKEEPING
        }
        for name in sorted(attributes, key=self.order):
            for leaf_path, leaf in self.leaves(attributes[name], (*path, name)):
                if id(leaf) in self.seen:
                    continue
                if self.predicate(leaf):
                    self.seen.add(id(leaf))
                    yield leaf_path, leaf
                if self.recursive and isinstance(leaf, Module):
                    below.append((leaf_path, leaf))
        entered: set[int] = set()
        for leaf_path, leaf in below:
            accepted = self.predicate(leaf)
            if id(leaf) not in entered and (accepted or id(leaf) not in self.seen):
                entered.add(id(leaf))
                yield from self.module(leaf, leaf_path)

    def leaves(self, value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
        """What lists, tuples and mappings hold, at any depth."""
        if isinstance(value, Mapping):
            try:
                keys = sorted(value)
            except TypeError:
                keys = list(value)
            pairs = [(key, value[key]) for key in keys]
        elif isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
            fields = getattr(value, "_fields", range(len(value)))
            pairs = list(zip(fields, value, strict=True))
        elif self.expand_composites and isinstance(value, Composite):
            pairs = list(enumerate(part for part in value._component_tensors() if part is not None))
        else:
            warn_of_set(value, path)
            yield path, value
            return
        for key, item in pairs:
            yield from self.leaves(item, (*path, key))


def warn_of_set(value: Any, path: Path) -> None:
    if isinstance(value, (set, frozenset)) and any(map(is_state, value)):
        warnings.warn(
            f"the set in attribute {path_text(path)} holds variables or modules that are not "
            f"tracked: a set has no order; use a list",
            stacklevel=2,
        )


def is_state(value: Any) -> bool:
    referent = value.deref() if hasattr(value, "deref") else value
    return is_variable(referent) or is_module(referent)


def is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def is_trainable(value: Any) -> bool:
    return isinstance(value, Variable) and value.trainable


def is_module(value: Any) -> bool:
    return isinstance(value, Module)


def path_text(path: Path) -> str:
    """`layers/0/w`."""
    return "/".join(map(str, path))


def snake_case(name: str) -> str:
    """`MyABCModule2` as `my_abc_module2`."""
    return _WORD_END.sub("_", name).lower()
