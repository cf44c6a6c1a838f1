"""The one interception point: every operation is applied here, whoever gives it its meaning."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final, cast

from numpy import generic

from ..core import context
from ..core.dtypes import DType, as_dtype
from ..core.numpy_behavior import changes
from ..core.process.tracebacks import hide_frames
from ..core.values import TensorLike
from ..errors import ChoiceError, DTypeMismatchError, KnownDTypeError, OpError
from .dispatch.meanings import ElementKind, Meanings, composites_among, with_meanings
from .op import REGISTRY, REQUIRED, Field, Op, RecordedOperation, floats, ints

# What public operations mean for composites: where operands have to be converted, it is looked for
# before the first of them is.
MEANINGS: Final[dict[type[Op], Meanings]] = {}

# What Python's numbers become where nothing else is wanted.
_OWN: Final = {bool: "bool", int: "int32", float: "float32", complex: "complex128"}


def bind(op: type[Op], *operands: Any, name: str | None = None, **attrs: Any) -> Any:
    """Apply `op`: convert the operands, let the interpreter on top act, tell the recorders.

    Returns the output, or a tuple of the flat outputs where the operation has several. One without
    outputs returns None; in a trace, itself, for control dependencies to hang on.

    Raises:
        ChoiceError: (a ValueError) an attribute is none of the values which it may have.
        TypeError: an attribute is nothing of its kind; of bools there are two.
        DTypeMismatchError: (a TypeError) operands that share a dtype have different ones, or the
            operation does not take this dtype.
    """
    if (quick := op.quick) and len(operands) == len(op.inputs):
        result = quick(*operands, attrs=attrs or None)
        if result is not NotImplemented:
            return result
    return applied(op, operands, attrs, name)


def applied(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
) -> Any:
    """`bind`, which takes everything as it comes: the slow twin of `Op.quick`."""
    here = context.top()
    try:
        if not are_ready(op, operands, attrs, here.interpreter.own_tensors):
            meanings = MEANINGS.get(op)
            if meanings is not None and (composites := composites_among(operands)):
                result = meanings.result(composites, operands, {**attrs, "name": name})
                if result is not NotImplemented:
                    return result
            if changes.promotion is not None:
                result = changes.promotion.bound(
                    op, operands, partial(bind, op, name=name, **attrs)
                )
                if result is not NotImplemented:
                    return result
            operands = converted_operands(op, operands, attrs, here.interpreter)
        if attrs:
            attrs = _checked(op, attrs)
        if here.observers:
            outputs = context.observed(here, op, operands, attrs, name)
        else:
            outputs = here.interpreter.apply(op, operands, attrs, name)
    except (AttributeError, TypeError, ValueError, OpError) as error:
        hide_frames(error)
        meant = _meant(op, operands, attrs, here.interpreter)
        if meant is None:
            raise
        return bind(op, *meant[0], name=name, **meant[1])
    if here.recorders:
        context.record(here.recorders, RecordedOperation(op, operands, attrs, outputs))
    if op.single:
        return outputs[0]
    return outputs if op.outputs else getattr(here.interpreter, "latest_operation", None)


def _checked(op: type[Op], attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes, where what is true or false is a bool, words are no bytes, and None leaves
    the default.

    Raises:
        ChoiceError: one is none of the values which it may have.
        TypeError: something else is given, which is true or false only to Python; or None, where
            there is no default.
    """
    for value in attrs.values():
        if value is None or type(value) is bytes:
            attrs = _in_python(op, attrs)
            break
    if op.choices:
        require_choices(op, attrs)
    for field in op.bools:
        value = attrs.get(field.name, False)
        if value is not True and value is not False:
            raise _unlike(bool, value, field.public)
    return attrs


def _in_python(op: type[Op], attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes, where those that are None have their defaults, and bytes are words: those
    that messages of graphs have.

    Raises:
        TypeError: one has none.
    """
    found = dict(attrs)
    for field in op.attrs:
        value = attrs.get(field.name, field)
        if field.type is str and isinstance(value, bytes):
            found[field.name] = _word(value, field.public)
        if value is None:
            if field.default is not REQUIRED:
                found[field.name] = field.default
            elif field.type in LISTS:
                raise TypeError(f"Expected list for '{field.public}' argument, not None.")
            elif field.type in WORDS:
                raise _unlike(field.type, None, field.public)
    return found


def _word(given: bytes, argument: str) -> str:
    try:
        return given.decode()
    except UnicodeDecodeError:
        raise TypeError(f"argument '{argument}' is UTF-8, which {given!r} is not") from None


def require_choices(op: type[Op], attrs: dict[str, Any]) -> None:
    """Refuse an attribute that is none of the words or dtypes which its declaration allows."""
    for field in op.choices:
        value = attrs.get(field.name, field.default)
        if value == field.default or value in field.allowed:
            continue
        if isinstance(field.allowed, frozenset):
            if (value := as_dtype(value)) in field.allowed:
                continue
            names = ", ".join(sorted(one.name for one in field.allowed))
            raise DTypeMismatchError(
                f"{op.name}: {field.public}={value.name} is not in the list of allowed values: "
                f"{names}"
            )
        words = ", ".join(f'"{word}"' for word in field.allowed)
        raise ChoiceError(
            f"{op.name}: {field.public}={value!r} is not in the list of allowed values: {words}"
        )


def _meant(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], interpreter: Any
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """What to apply an operation to that failed, where something else was given for it."""
    if (known := interpreter.in_python((operands, attrs))) is not None:
        return known
    if attrs and (declared := as_declared(op, attrs)):
        return operands, declared
    if op.loose and (bent := _in_their_ranks(op, operands, interpreter)):
        return bent, attrs
    return None


def _in_their_ranks(
    op: type[Op], operands: tuple[Any, ...], interpreter: Any
) -> tuple[Any, ...] | None:
    """The operands where some are numbers that should be vectors, or vectors of one number."""
    if interpreter.building_graph:
        return None
    bent = list(operands)
    for position, least, most in op.ranks:
        operand = operands[position]
        if op.inputs[position].name in op.loose and isinstance(operand, TensorLike):
            if least == 1 and operand.shape == ():
                bent[position] = bind(REGISTRY["Reshape"], operand, [1])
            elif most == 0 and operand.shape == (1,):
                bent[position] = bind(REGISTRY["Reshape"], operand, [])
    return tuple(bent) if any(x is not y for x, y in zip(bent, operands, strict=True)) else None


def as_declared(op: type[Op], attrs: dict[str, Any]) -> dict[str, Any] | None:
    """The attributes as what they are declared to be, where something else was given: looked at
    where an operation failed.

    A float counts as the integer below it where one is wanted: TensorFlow calls `int`.

    Raises:
        TypeError: an attribute is nothing of its kind.
    """
    fields = {field.name: field for field in op.attrs}
    known = [fields[name] for name in attrs if name in fields]
    made = {one.name: _as_declared(one, attrs[one.name]) for one in known if one.type in KINDS}
    differ = any(_kinds(value) != _kinds(attrs[name]) for name, value in made.items())
    return {**attrs, **made} if differ else None


def _kinds(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [*map(type, cast("list[Any]", value))]
    return type(value)


def _as_declared(field: Field, value: Any) -> Any:
    if value is field.default:
        return value
    kind = LISTS.get(field.type)
    if kind is None:
        return as_kind(field.type, value, field.public)
    if value is None and field.default is not REQUIRED:
        return field.default
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{field.public}' argument, not {value!r}.")
    return tuple([as_kind(kind, one, field.public) for one in cast("list[Any]", value)])


def as_kind(kind: Any, value: Any, argument: str) -> Any:
    """The value of an argument as an attribute of this kind, an int, a float, a bool or a string.

    Raises:
        TypeError: it is nothing of the kind; a bool is one already.
    """
    try:
        return KINDS[kind](value)
    except (TypeError, ValueError):
        raise _unlike(kind, value, argument) from None


def _unlike(kind: Any, value: Any, argument: str) -> TypeError:
    return TypeError(f"Expected {WORDS[kind]} for argument '{argument}' not {value!r}.")


def _number(kind: type) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return kind(value)

    return convert


def _text(value: Any) -> Any:
    if not isinstance(value, (str, bytes)):
        raise TypeError
    return value


def _bool(value: Any) -> Any:
    if type(value) is not bool:
        raise TypeError
    return value


KINDS: Final[dict[Any, Callable[[Any], Any]]] = {
    int: _number(int), float: _number(float), str: _text, bool: _bool, ints: tuple, floats: tuple,
}  # fmt: skip
LISTS: Final[dict[Any, type]] = {ints: int, floats: float}
WORDS: Final[dict[Any, str]] = {int: "int", float: "float", str: "string", bool: "bool"}


def converted_operands(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], interpreter: Any
) -> tuple[Any, ...]:
    """Every operand as a tensor of `interpreter`; Python values adopt the dtype beside them."""
    try:
        return _converted(op, operands, attrs, interpreter)
    except (TypeError, ValueError):
        agreeing = _in_one_dtype(op, operands, interpreter)
        if agreeing is None:
            raise
        return _converted(op, agreeing, attrs, interpreter)


def _in_one_dtype(
    op: type[Op], operands: tuple[Any, ...], interpreter: Any
) -> tuple[Any, ...] | None:
    """The operands, where the interpreter has those that share a dtype agree on one; else None."""
    pairs = [(f, one) for f, one in zip(op.inputs, operands, strict=True) if f.listed != "each"]
    agreeing: dict[int, Any] = {}
    for symbol in {field.dtype for field, _ in pairs}:
        rows = [(f, _row(f, one)) for f, one in pairs if f.dtype == symbol]
        values = [one for _, row in rows for one in row]
        allowed = getattr(op, symbol, None)
        if (fixed := rows[0][0].fixed_dtype) is not None:
            allowed = frozenset((fixed,))
        others = interpreter.in_one_dtype(
            values, allowed if isinstance(allowed, frozenset) else None
        )
        agreeing |= zip(map(id, values), others or (), strict=False)
    if not agreeing:
        return None
    return tuple(
        [agreeing.get(id(one), one) for one in operand]
        if field.listed
        else agreeing.get(id(operand), operand)
        for field, operand in zip(op.inputs, operands, strict=True)
    )


def _row(field: Field, operand: Any) -> tuple[Any, ...]:
    return tuple(operand) if field.listed and isinstance(operand, (list, tuple)) else (operand,)


def _converted(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], interpreter: Any
) -> tuple[Any, ...]:
    dtypes = _dtypes_of(op, operands, attrs)
    keeps = bool(op.usual) and _keeps_taken(op, operands, interpreter)
    converted: list[Any] = []
    counts: dict[str, tuple[str, int]] = {}
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.listed:
            _require_as_many(op, field, operand, counts)
            each = [_convert(op, field, one, dtypes, interpreter, keeps) for one in operand]
            converted.append(tuple(each))
        else:
            converted.append(_convert(op, field, operand, dtypes, interpreter, keeps))
    for symbol, dtype in dtypes.items():
        allowed = getattr(op, symbol, None)
        if isinstance(allowed, frozenset) and dtype not in allowed:
            names = ", ".join(sorted(one.name for one in allowed))
            instead = (
                "; use tf.cast" if dtype.is_numeric or dtype.is_narrow or dtype.is_bool else ""
            )
            raise op.refusal(
                f"{op.name}: {dtype.name} is not in the list of allowed values: {names}{instead}"
            )
    return tuple(converted)


def _require_as_many(
    op: type[Op], field: Field, operand: Any, counts: dict[str, tuple[str, int]]
) -> None:
    """Refuse a list of other length than one of those before it which has the same number."""
    if field.number_attr:
        first, count = counts.setdefault(field.number_attr, (field.name, len(operand)))
        if count != len(operand):
            raise ValueError(
                f"{op.name}: lists `{first}` and `{field.name}` must have as many tensors, got "
                f"{count} and {len(operand)}"
            )


def are_ready(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], own_tensors: frozenset[type]
) -> bool:
    """Whether nothing is to be converted and no dtype is wrong: the short way of eager execution.

    `own_tensors` are the classes whose tensors an interpreter takes as they are.
    """
    dtypes: dict[str, DType] = {}
    for field, operand in zip(op.inputs, operands, strict=True):
        if type(operand) not in own_tensors or field.listed:
            return False
        dtype = operand.dtype
        if (field.fixed_dtype or dtypes.setdefault(field.dtype, dtype)) is not dtype:
            return False
    for symbol, dtype in dtypes.items():
        if attrs and attrs.get(symbol, dtype) is not dtype and isinstance(attrs[symbol], DType):
            return False
        allowed = op.allowed_enums.get(symbol)
        if allowed is not None and dtype.as_datatype_enum not in allowed:
            return False
    return True


def _dtypes_of(op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]) -> dict[str, DType]:
    """What each dtype symbol stands for, as far as tensors and attributes decide it."""
    dtypes: dict[str, DType] = {}
    for field in op.attrs:
        if isinstance(value := attrs.get(field.name), DType):
            dtypes[field.name] = value
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.fixed_dtype is not None or field.mixed:
            continue
        for one in operand if field.listed else (operand,):
            if isinstance(one, TensorLike):
                dtypes.setdefault(field.dtype, one.dtype)
    return dtypes


def _convert(
    op: type[Op],
    field: Field,
    operand: Any,
    dtypes: dict[str, DType],
    interpreter: Any,
    keeps: bool,
) -> Any:
    wanted = field.fixed_dtype or dtypes.get(field.dtype)
    if field.mixed:
        wanted = None
    if wanted is not None and isinstance(operand, TensorLike):
        if operand.dtype is not wanted:
            raise _dtype_error(op, field, operand, wanted)
        if type(operand) in interpreter.own_tensors:
            return operand
    if wanted is None:
        settled = field.listed and interpreter.building_graph
        preferred = _preferred(op, field, operand, keeps, settled)
    else:
        preferred = None
    try:
        tensor = interpreter.convert(operand, wanted, preferred)
        if wanted is None and (packed := _packed_as(op, field, operand, tensor.dtype)) is not None:
            tensor = interpreter.convert(operand, packed, None)
    except KnownDTypeError as error:
        if field.name != op.hinted or wanted is None:
            raise
        alone = interpreter.convert(operand, None, None)
        told = _told_of_input(op, field, alone, wanted)
        raise DTypeMismatchError(f"{error.message} ({told})") from None
    if field.fixed_dtype is None and not field.mixed:
        dtypes.setdefault(field.dtype, tensor.dtype)
    return tensor


def _keeps_taken(op: type[Op], operands: tuple[Any, ...], interpreter: Any) -> bool:
    """Whether arrays of a dtype that is taken keep it: in graphs, and beside lists."""
    if op.keeps_taken or interpreter.building_graph:
        return True
    return any(
        isinstance(operand, (list, tuple)) and not field.listed and field.fixed_dtype is None
        for field, operand in zip(op.inputs, operands, strict=True)
    )


def _preferred(
    op: type[Op], field: Field, operand: Any, keeps: bool, settled: bool
) -> DType | None:
    """What a value becomes where it may: an empty list of sizes holds integers. Arrays keep their
    dtype, but for operations that have a usual one (eager ones without lists beside, and operands
    of which there are several in graphs: `settled`), and where they are not taken otherwise. So do
    lists. NumPy's scalars keep theirs.
    """
    allowed, usual = getattr(op, field.dtype, None), op.usual.get(field.dtype)
    if hasattr(operand, "dtype"):
        keeps = (keeps and not settled) or isinstance(operand, generic)
        return None if keeps and _is_taken(operand, allowed) else usual
    if not settled and usual is not None and isinstance(operand, (list, tuple)):
        return None if _own_dtype(operand) in (allowed or ()) else usual
    return usual or (_usual_among(allowed) if isinstance(allowed, frozenset) else None)


def _packed_as(op: type[Op], field: Field, operand: Any, dtype: DType) -> DType | None:
    """What tensors in a list become that none of them is: TensorFlow casts them to what operations
    usually take. None: the operand is no such list.
    """
    usual = op.usual.get(field.dtype)
    if usual is None or dtype in getattr(op, field.dtype, (dtype,)):
        return None
    if field.listed or not isinstance(operand, (list, tuple)):
        return None
    own = {one.dtype for one in _tensors_in(operand)}
    return None if not own or own & getattr(op, field.dtype, frozenset()) else usual


def _tensors_in(operand: Any) -> Iterator[TensorLike]:
    if isinstance(operand, TensorLike):
        yield operand
    elif isinstance(operand, (list, tuple)):
        for one in cast("list[Any]", operand):
            yield from _tensors_in(one)


def _own_dtype(operand: Any) -> DType | None:
    """What a number, or the first of nested lists, becomes by itself; None: it is neither."""
    while isinstance(operand, (list, tuple)):
        if not operand:
            return None
        operand = cast("list[Any]", operand)[0]
    own = getattr(operand, "dtype", None) or _OWN.get(type(operand))
    return None if own is None else as_dtype(own)


def _is_taken(array: Any, allowed: frozenset[DType] | None) -> bool:
    return allowed is None or any(array.dtype == one.storage for one in allowed)


@cache  # there are not many
def _usual_among(allowed: frozenset[DType]) -> DType | None:
    if all(dtype.is_integer for dtype in allowed):
        return next((dtype for dtype in allowed if dtype.name == "int32"), None)
    return None


def _dtype_error(op: type[Op], field: Field, operand: TensorLike, wanted: DType) -> Exception:
    first = next((one for one in op.inputs if one.dtype == field.dtype), field)
    converting = _conversion(operand, wanted)
    return DTypeMismatchError(
        f"{_told_of_input(op, field, operand, wanted)} "
        f"(Input '{field.name}' of '{op.name}' Op has type {operand.dtype.name} that does not "
        f"match type {wanted.name} of argument '{first.name}'); use {converting} to convert one of "
        "them"
    )


def _told_of_input(op: type[Op], field: Field, operand: TensorLike, wanted: DType) -> str:
    """As TensorFlow's kernels say it."""
    return (
        f"cannot compute {op.name} as input #{op.inputs.index(field)}(zero-based) was expected to "
        f"be a {_kernel_name(wanted)} tensor but is a {_kernel_name(operand.dtype)} tensor"
    )


def _conversion(operand: TensorLike, wanted: DType) -> str:
    if wanted.name == "string":
        return "tf.strings.as_string"
    return "tf.strings.to_number" if operand.dtype.name == "string" else "tf.cast"


def _kernel_name(dtype: DType) -> str:
    """TensorFlow's kernels call floats as C does; whoever searches for the message finds it."""
    return {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name)


def api(op: type[Op], name: str | None = None, elements: int = 0) -> Callable[..., Any]:
    """The function that users call for `op`: inputs, then attributes, then `name`.

    elements: of how many inputs it looks at the elements one by one; operations that are
    `by_element` do that with all.
    """
    parameters = [_parameter(field) for field in (*op.inputs, *op.attrs)]
    parameters.append(
        inspect.Parameter("name", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    )
    count = len(op.inputs)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if len(args) == count and not kwargs:
                if quick := op.quick:
                    result = quick(*args)
                    if result is not NotImplemented:
                        return result
                return applied(op, args, {}, None)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            values = bound.arguments
            operands = [values.pop(field.name) for field in op.inputs]
            return bind(op, *operands, **values)
        except (TypeError, ValueError, OpError) as error:
            hide_frames(error)
            raise

    signature = inspect.Signature(parameters)
    call.__signature__ = signature  # pyrefly: ignore[missing-attribute] (`inspect` reads it)
    call.__name__ = call.__qualname__ = name or _snake_case(op.__name__)
    call.__doc__ = op.__doc__
    call.__module__ = op.__module__
    MEANINGS[op] = with_meanings(call, ElementKind(count if op.by_element else elements))
    return call


def _parameter(field: Field) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is REQUIRED else field.default
    return inspect.Parameter(field.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _snake_case(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and k else c.lower() for k, c in enumerate(name))
