"""What has to be true of a GraphDef before its nodes become operations: files may say anything."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

from ...core.dtypes import DType, resource, variant
from ...core.shapes import TensorShape
from ...errors import (
    DTypeMismatchError,
    InvalidArgumentError,
    OpError,
    ResourceExhaustedError,
    UnimplementedError,
)
from ...ops.control.functional import GivenGraphs
from ...ops.control.python_functions import FunctionToken
from ...ops.op import Field, Op
from ...ops.training.references import ByReference

_HANDLES: Final = (resource, variant)
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "bool"),  # before int, of which it is a subclass
    (int, "int"),
    (float, "float"),
    (bytes, "string"),
    (str, "string"),
    (DType, "type"),
    (TensorShape, "shape"),
    ((list, tuple), "list"),
)


def in_order(nodes: Sequence[Any], owner: str, arguments: Collection[str] = ()) -> list[Any]:
    """Nodes after those that they take from: protos may have any order.

    Raises:
        InvalidArgumentError: they take from each other in a circle, from what is not there, or
            two have one name.
    """
    by_name: dict[str, Any] = {}
    for node in nodes:
        if not node.name or node.name in by_name or node.name in arguments:
            raise InvalidArgumentError(
                f"node '{node.name}' of '{owner}': a node, or an argument, of that name is there "
                "already: names must be given, and differ"
            )
        by_name[node.name] = node
    placed: dict[str, Any] = {}
    for start in nodes:
        if start.name not in placed:
            _place(start, by_name, placed, owner, arguments)
    return list(placed.values())


def _place(
    start: Any,
    by_name: Mapping[str, Any],
    placed: dict[str, Any],
    owner: str,
    arguments: Collection[str],
) -> None:
    """Put a node into `placed`, and before it what it needs."""
    waiting: dict[str, Iterator[str]] = {start.name: _sources(start)}
    while waiting:
        name = next(reversed(waiting))
        source = next(waiting[name], None)
        if source is None:
            placed[name] = by_name[name]
            del waiting[name]
        elif source in waiting:
            names = list(waiting)
            circle = " ← ".join(f"'{one}'" for one in names[names.index(source) :][:8])
            raise InvalidArgumentError(
                f"node '{name}' of '{owner}': nodes take from each other in a circle: {circle} …"
            )
        elif source in by_name:
            if source not in placed:
                waiting[source] = _sources(by_name[source])
        elif source not in arguments:
            raise InvalidArgumentError(
                f"node '{name}' of '{owner}': it takes from '{source}', which is not there"
            )


def _sources(node: Any) -> Iterator[str]:
    return reversed([one.removeprefix("^").partition(":")[0] for one in node.input])


@contextmanager
def told_by_node(node: Any, owner: str) -> Generator[None]:
    """Have errors say at which node of which function they arose; the innermost one says it.

    Raises:
        InvalidArgumentError: in place of what Python raises where operands and attributes are not
            what the operation takes.
        ResourceExhaustedError: functions call each other too deep, or there is no memory.
    """
    place = f"node '{node.name}' of '{owner}'"
    try:
        yield
    except OpError as error:
        if error.node_def is None:
            _prefix(error, place)
            error.node_def = node
        raise
    except Exception as error:
        made = _as_op_error(error, place, f"{node.op} does not take what it is given here")
        made.node_def = node
        raise made from error


@contextmanager
def told_by(place: str, expected: str) -> Generator[None]:
    """Have errors begin with a place, and with what was expected there, if Python raises them."""
    try:
        yield
    except OpError as error:
        _prefix(error, place)
        raise
    except Exception as error:
        raise _as_op_error(error, place, f"expected {expected}") from error


def _prefix(error: OpError, place: str) -> None:
    error.message = f"{place}: {error.message}"
    error.args = (error.message, *error.args[1:])


def _as_op_error(error: Exception, place: str, what: str) -> OpError:
    if isinstance(error, (RecursionError, MemoryError)):
        return ResourceExhaustedError(f"{place}: {error or 'out of memory'}")
    text = str(error).partition("\n")[0]
    if not isinstance(error, (TypeError, ValueError)):
        text = f"{type(error).__name__} {text}"
    return InvalidArgumentError(f"{place}: {what}: {text}")


def require_kind(op: str, name: str, value: Any, default: Any) -> None:
    """Refuse an attribute of another kind than its default is of.

    Raises:
        InvalidArgumentError: it is.
    """
    wanted, given = _kind_of(default), _kind_of(value)
    if wanted is None or wanted == given or (wanted == "float" and given == "int"):
        return
    raise InvalidArgumentError(
        f"attribute '{name}' of {op}: expected {wanted}, got {given or 'nothing'}: {value!r:.100}"
    )


def _kind_of(value: Any) -> str | None:
    return next((kind for types, kind in _KINDS if isinstance(value, types)), None)


# Operations that hand on whatever they are given, handles too.
_HANDS_ON: Final = (
    "CustomGradient", "Identity", "IdentityN", "OptionalFromValue", "TensorDataset",
)  # fmt: skip


def require_dtypes(
    op: type[Op], operands: Sequence[Any], attrs: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    """Refuse operands whose dtypes are not those that the operation takes, or that the node says.

    Native code reads memory as what it is taken for.

    Raises:
        DTypeMismatchError: they are not.
        UnimplementedError: the operation changes a variable that it is given without a handle.
    """
    if issubclass(op, ByReference):
        _require_handles(op, operands)
    said = {**given, **attrs}
    known = {name: value for name, value in said.items() if isinstance(value, DType)}
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.mixed:
            _require_each(op, field, operand, said.get(field.dtype))
            continue
        for one in operand if field.listed else (operand,):
            wanted = field.fixed_dtype or known.setdefault(field.dtype, one.dtype)
            _require(op, field, one.dtype, wanted)
            state = getattr(one._known.spec, "state", None)
            symbol = _symbol_of_state(op)
            if state is not None and field.dtype == "resource" and symbol:
                _require(op, field, state.dtype, known.setdefault(symbol, state.dtype))


def _require_handles(op: type[ByReference], operands: Sequence[Any]) -> None:
    """Functions, which branches and loops become, are given what such variables hold."""
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.name in op.references and operand.dtype not in _HANDLES:
            raise UnimplementedError(
                f"{op.name} changes a variable by reference, in a function, branch or loop: only "
                "variables with handles can be changed there; use_resource=True makes them"
            )


def _require_each(op: type[Op], field: Field, operands: Sequence[Any], said: Any) -> None:
    types: list[Any] = [one.dtype for one in operands]
    if isinstance(said, list) and said != types:
        raise DTypeMismatchError(
            f"{op.name}: '{field.public}' are {[one.name for one in types]}, but the node's "
            f"'{field.dtype}' says {[getattr(one, 'name', one) for one in cast('list[Any]', said)]}"
        )
    if any(one in _HANDLES for one in types) and not _hands_on(op):
        raise DTypeMismatchError(f"{op.name}: '{field.public}' are handles, not tensors")


def _require(op: type[Op], field: Field, dtype: DType, wanted: DType) -> None:
    if dtype is not wanted:
        raise DTypeMismatchError(
            f"{op.name}: '{field.public}' is {dtype.name}, and should be {wanted.name}"
        )
    allowed = getattr(op, field.dtype, None)
    if isinstance(allowed, frozenset):
        is_taken = dtype in allowed
    else:
        is_taken = dtype is field.fixed_dtype or dtype not in _HANDLES or _hands_on(op)
    if not is_taken:
        raise DTypeMismatchError(f"{op.name}: '{field.public}' cannot be {dtype.name}")


def _hands_on(op: type[Op]) -> bool:
    return op.name in _HANDS_ON or issubclass(op, GivenGraphs)


def _symbol_of_state(op: type[Op]) -> str | None:
    """What an operation on a variable calls the variable's dtype."""
    names = {field.dtype for field in (*op.inputs, *op.outputs)}
    return next((name for name in ("dtype", "T") if name in names), None)


# Operations that call Python functions of the process that traced them.
_CALLS: Final = ("EagerPyFunc", "PyFunc", "PyFuncStateless")
OF_ONE_PROCESS: Final = (*_CALLS, "MakeDataset", "UseDataset")


def function_called(op: str, given: Mapping[str, Any]) -> FunctionToken | None:
    """The Python function that a node calls, where this process has written it; None for others.

    Raises:
        UnimplementedError: another process wrote the file, or nobody has the function any more.
        InvalidArgumentError: the node promises other results than the function.
    """
    if op not in OF_ONE_PROCESS:
        return None
    name = given.get("token") if op in _CALLS else None
    found = FunctionToken.named(name.decode("utf-8", "replace")) if type(name) is bytes else None
    if found is None:
        raise UnimplementedError(
            f"{op} calls a Python function, which is not in the file: only the process that "
            "traced it has it"
        )
    if list(given.get("Tout") or ()) != [spec.dtype for spec in found.specs]:
        raise InvalidArgumentError(
            f"attribute 'Tout' of {op}: {given.get('Tout')!r:.100} are not the dtypes that the "
            f"function returns, {[spec.dtype.name for spec in found.specs]}"
        )
    return found
