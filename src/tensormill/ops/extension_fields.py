"""The annotated fields of users' composites: which annotations there may be, what fits each."""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ..core import tree
from ..core.dtypes import DType, as_dtype
from ..core.shapes import TensorShape, as_shape
from ..core.specs import TensorSpec
from ..core.type_spec import TypeSpec
from ..core.values import TensorBase, TensorLike
from .array.concatenation import stack
from .array.shapes import rank, reshape, shape, size
from .conversion import as_tensor
from .math.arithmetic import minimum
from .math.comparison import tensor_equals
from .math.reduce import reduce_all

# What becomes of a value, given its annotation and its place in errors.
Leaf = Callable[[Any, Any, str], Any]

_NO_DEFAULT: Any = object()
_PLAIN: Final = (bool, bytes, float, int, str, type(None))
_TENSORS: Final = (TensorBase, TensorLike, tree.Composite)
_UNIONS: Final = (typing.Union, types.UnionType)
# What reads values of these classes from what users write instead.
_READERS: Final[dict[Any, Any]] = {TensorShape: as_shape, DType: as_dtype}
# From 3.14 on annotations are evaluated when somebody looks: here before the class has its name.
_UNEVALUATED: Final[dict[str, Any]] = {}
if sys.version_info >= (3, 14):
    import annotationlib

    _UNEVALUATED["format"] = annotationlib.Format.FORWARDREF


class ImmutableDict(Mapping[str, Any]):
    """What a field holds that is annotated as a mapping."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._items = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __contains__(self, key: Any) -> bool:
        return key in self._items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items})"


def annotated(cls: type[Any]) -> dict[str, Any]:
    """The annotated types of a class, by the names of its fields.

    Raises:
        TypeError: no field can be of such a type.
    """
    hints = _hints(cls).items()
    fields = {name: hint for name, hint in hints if not _is_of_the_class(hint)}
    for name, hint in fields.items():
        _require_type(hint, name)
    return fields


def _is_of_the_class(hint: Any) -> bool:
    """Whether it annotates what all values share, also where it is not evaluated."""
    if (text := _unread(hint)) is not None:
        return re.match(r"(\w+\.)?ClassVar\b", text) is not None
    return typing.ClassVar in (hint, typing.get_origin(hint))


def _hints(cls: type[Any]) -> dict[str, Any]:
    """The annotated types; a class may be mentioned in its own: as text, from 3.14 on as it is.
    Where one names what is not there yet, all are as they are written.
    """
    try:
        return typing.get_type_hints(cls)
    except (AttributeError, NameError):  # a module's `module.Later` is an attribute
        pass
    try:
        return typing.get_type_hints(cls, localns={cls.__name__: cls}, **_UNEVALUATED)
    except (AttributeError, NameError):
        return _unevaluated(cls)


def _unevaluated(cls: type[Any]) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        written |= inspect.get_annotations(base, **_UNEVALUATED)
    return written


def _unread(hint: Any) -> str | None:
    """The text of an annotation that was not evaluated, None for others: `typing` makes a
    `ForwardRef` of a part that is a text, `tuple["Later", ...]` keeps it.
    """
    text = hint.__forward_arg__ if isinstance(hint, typing.ForwardRef) else hint
    return text if isinstance(text, str) else None


def names_what_is_missing(hint: Any) -> bool:
    """Whether an annotation, or a part of it, names what was not there when it was read."""
    if _unread(hint) is not None:
        return True
    return any(names_what_is_missing(part) for part in typing.get_args(hint))


def require_names(cls: type[Any], kept: frozenset[str]) -> None:
    """Refuse a body of a class with fields that the library keeps for itself, and with what looks
    like a field, and is none for want of an annotation.
    """
    mine = inspect.get_annotations(cls, **_UNEVALUATED)
    for name in {**mine, **cls.__dict__}:
        is_kept = (name in mine and name in kept) or name.startswith("_tf_extension_type")
        if is_kept and not _is_of_the_class(mine.get(name)):
            raise _wrong_field(cls, f"Field {name!r} is reserved")
    for name, value in cls.__dict__.items():
        if name not in mine and not _is_no_field(name, value):
            raise _wrong_field(cls, f"Field {name} is missing a type annotation")


def _wrong_field(cls: type[Any], fault: str) -> ValueError:
    return ValueError(f"The field annotations for {cls.__name__} are invalid. {fault}.")


def _is_no_field(name: str, value: Any) -> bool:
    """Whether a class has such an attribute for another purpose: it does something, or it is
    Python's, or the class of specs.
    """
    is_pythons = (name.startswith("__") and name.endswith("__")) or name.startswith("_abc_")
    return is_pythons or name == "Spec" or callable(value) or hasattr(value, "__get__")


def _require_type(hint: Any, name: str) -> None:
    """Refuse what no rule below converts to: values of it would be kept as they came."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if (origin is tuple and hasattr(hint, "__args__")) or origin in _UNIONS:
        parts = inner
    elif isinstance(origin, type) and issubclass(origin, Mapping) and not issubclass(origin, dict):
        parts = inner[1:]
    elif origin is None and _is_leaf(hint):
        return
    else:
        told = repr(hint.__name__) if isinstance(hint, type) and origin is None else hint
        raise TypeError(
            f"In field {name!r}: Unsupported type annotation {told}: a field is a tensor, a "
            "composite of tensors, a number, text, a tf.DType or tf.TensorShape, or a "
            "typing.Tuple, Mapping, Union or Optional of these"
        )
    for part in parts:
        if part is not Ellipsis:
            _require_type(part, name)


def _is_leaf(hint: Any) -> bool:
    if not isinstance(hint, type):
        return hint is Any or isinstance(hint, TypeSpec) or _unread(hint) is not None
    return hint in _PLAIN or hint in _READERS or issubclass(hint, _TENSORS)


def require_defaults(fields: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Refuse defaults that are not of the annotated types, before anybody makes a value; where
    these are not there yet, the first value tells.
    """
    for name, value in defaults.items():
        if not names_what_is_missing(fields[name]):
            converted(value, fields[name], f"default value for {name}", as_default)


def bound(
    cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], has_defaults: bool = True
) -> dict[str, Any]:
    """The value of each field, of arguments and defaults.

    Raises:
        TypeError: one is missing, or there is no such field.
    """
    names = list(cls._fields)
    if len(args) > len(names):
        raise TypeError(f"{cls.__name__} takes {len(names)} fields, got {len(args)}")
    values = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in cls._fields or name in values:
            raise TypeError(f"{cls.__name__} got an unexpected keyword argument {name!r}")
        values[name] = value
    for name in names:
        default = cls._defaults.get(name, _NO_DEFAULT) if has_defaults else _NO_DEFAULT
        if values.setdefault(name, default) is _NO_DEFAULT:
            raise TypeError(f"{cls.__name__} missing a required argument: {name!r}")
    return values


def converted(value: Any, hint: Any, name: str, leaf: Leaf | None = None) -> Any:
    """`value` as its annotation wants it; `name` says in errors where it is, `leaf` what becomes of
    what is no tuple or mapping: `as_value` (if None), `as_default` or `as_spec`.

    Raises:
        TypeError: it cannot be.
    """
    leaf = as_value if leaf is None else leaf
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if (text := _unread(hint)) is not None:
        raise TypeError(f"{name}: its annotation {text!r} names what is not there")
    if origin is None or isinstance(hint, TypeSpec):
        return leaf(value, hint, name)
    if origin is tuple:
        return _row_of(value, inner, name, leaf)
    if origin in _UNIONS:
        return _first_that_fits(value, inner, name, leaf)
    return _mapping_of(value, inner, name, leaf)


def _row_of(value: Any, kinds: Any, name: str, leaf: Leaf) -> Any:
    if not isinstance(value, list | tuple):
        raise _wrong(name, "a tuple", value)
    if kinds and kinds[-1] is Ellipsis:
        kinds = [kinds[0]] * len(value)
    if len(kinds) != len(value):
        raise TypeError(f"{name}: expected a tuple with length {len(kinds)}, got {value!r}")
    pairs = enumerate(zip(value, kinds, strict=True))
    return tuple(converted(one, kind, f"{name}[{place}]", leaf) for place, (one, kind) in pairs)


def _mapping_of(value: Any, kinds: Any, name: str, leaf: Leaf) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(name, "a mapping", value)
    items = list[tuple[Any, Any]]()
    for key, one in value.items():
        read = converted(key, kinds[0], f"{name}[<key>]", leaf)
        items.append((read, converted(one, kinds[1], f"{name}[{key!r}]", leaf)))
    return ImmutableDict(items)


def _first_that_fits(value: Any, kinds: Any, name: str, leaf: Leaf) -> Any:
    for kind in kinds:
        try:
            return converted(value, kind, name, leaf)
        except (TypeError, ValueError):
            continue
    raise TypeError(f"{name}: expected one of {kinds}, got {value!r}")


def as_value(value: Any, hint: Any, name: str) -> Any:
    """What a field holds."""
    if isinstance(hint, TensorSpec):
        return _tensor_of(value, hint, name)
    if isinstance(hint, TypeSpec):
        return _of_spec(value, hint, name)
    if hint is Any or isinstance(value, hint):
        return value
    if issubclass(hint, TensorLike):
        return _tensor_of(value, None, name)
    if hint not in _READERS:
        raise _wrong(name, f"a {hint.__name__}", value)
    try:
        return _READERS[hint](value)
    except (TypeError, ValueError) as error:
        raise _wrong(name, f"a {hint.__name__}", value) from error


def as_default(value: Any, hint: Any, name: str) -> Any:
    """A default: what stands for a tensor becomes one in every value, in the graph of that."""
    is_tensor = isinstance(hint, TensorSpec) or _is_class_of(hint, TensorLike)
    return value if is_tensor else as_value(value, hint, name)


def as_spec(value: Any, hint: Any, name: str) -> Any:
    """What a spec has for a field: the spec of a tensor or composite, any other value itself."""
    if hint is Any:
        return value
    if isinstance(hint, TypeSpec):
        fits = isinstance(value, TypeSpec) and hint.is_compatible_with(value)
        wanted: Any = hint
    elif _is_class_of(hint, TensorLike):
        fits, wanted = isinstance(value, TensorSpec), "a TensorSpec"
    elif _is_class_of(hint, tree.Composite):
        fits = isinstance(value, TypeSpec) and _is_class_of(value.value_type, hint)
        wanted = f"the spec of a {hint.__name__}"
    else:
        return as_value(value, hint, name)
    if not fits:
        raise _wrong(name, wanted, value)
    return value


def _is_class_of(hint: Any, base: type[Any]) -> bool:
    return isinstance(hint, type) and issubclass(hint, base)


def _wrong(name: str, wanted: str, value: Any) -> TypeError:
    return TypeError(f"{name}: expected {wanted}, got {type(value).__name__!r}: {value!r}")


def _tensor_of(value: Any, spec: TensorSpec | None, name: str) -> Any:
    try:
        tensor = as_tensor(value, None if spec is None else spec.dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected a Tensor, got {value!r}: {error}") from error
    if spec is not None and not spec.is_compatible_with(tensor):
        raise TypeError(f"{name}: expected {spec!r}, got {tensor!r}")
    return tensor


def _of_spec(value: Any, spec: TypeSpec, name: str) -> Any:
    if not spec.is_compatible_with(value):
        raise TypeError(f"{name}: expected {spec!r}, got {value!r}")
    return value


def same_values(mine: Any, theirs: Any) -> Any:
    """Whether two structures hold equal values: a bool tensor where tensors have to be compared,
    False where sizes or plain values say it already, True where there are neither.
    """
    if tree.difference(mine, theirs, expand_composites=True) is not None:
        return False
    pairs = [*zip(_leaves(mine), _leaves(theirs), strict=True)]
    tensors = [pair for pair in pairs if isinstance(pair[0], TensorLike)]
    if not all(_may_be_same(*pair) for pair in pairs):
        return False
    answers = [answer for pair in tensors for answer in _compared(*pair)]
    return reduce_all(stack(answers)) if answers else True


def _leaves(values: Any) -> list[Any]:
    return tree.flatten(values, expand_composites=True)


def _may_be_same(one: Any, another: Any) -> bool:
    """Whether what is known before the program runs leaves that open, or says so."""
    if not isinstance(one, TensorLike):
        return bool(one == another)
    if not isinstance(another, TensorLike) or one.dtype is not another.dtype:
        return False
    return bool(one.shape.is_compatible_with(another.shape))


def _compared(one: Any, another: Any) -> Iterator[Any]:
    """Bool scalars: are sizes that only the program knows the same, are the elements?"""
    if one.shape.is_fully_defined() and another.shape.is_fully_defined():
        yield reduce_all(tensor_equals(one, another))
        return
    yield tensor_equals(rank(one), rank(another))
    for parts in ((shape(one), shape(another)), (one, another)):
        flat = [reshape(part, [-1]) for part in parts]
        count = minimum(*(size(part) for part in flat))  # of other sizes they are unequal anyway
        yield reduce_all(tensor_equals(*(part[:count] for part in flat)))
