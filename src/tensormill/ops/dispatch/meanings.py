"""What a call means is found by the types of its arguments, before anything runs: in one table.

    @dispatchable                     # beside the function, which may mean something else ...
    def concat(values, axis, name="concat"): ...

    @means_for(concat, RaggedTensor)  # ... and beside that: this, where an argument is ragged
    def concat_rows(values, axis, name="concat"): ...

Whoever calls with tensors, numbers and arrays pays for a look at the class of each argument. Only
where one of them is a composite, by itself or in a list, a meaning is looked for: the users' own
(`registration.py`), then the library's. Without any, the function runs, and its conversion says
what is no tensor. Operations made by `api` look where they convert their operands (`bind.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, overload

from ...core import context
from ...core.numpy_behavior import changes
from ...core.process.lazy_property import lazy_property
from ...core.process.named_tuples import NamedTuple
from ...core.process.tracebacks import hide_frames
from ...core.tree import Composite

if TYPE_CHECKING:
    from ..op import Op
    from .arguments import GivenArguments, TakenParameters
    from .registration import Registered

Function = TypeVar("Function", bound=Callable[..., Any])
# The meaning of one function: takes its arguments, defaults included; or NotImplemented, where they
# are not its business.
Meaning = Callable[..., Any]
# The meaning of all elementwise functions: `function`, of the operands alone, and the operands.
ElementMeaning = Callable[[Callable[..., Any], tuple[Any, ...]], Any]

# Classes of which no value is a composite, or holds any.
PLAIN: Final[set[type]] = set()
are_plain: Final = PLAIN.issuperset
# Whose classes are remembered as such: there are not many, and they stay.
LASTING: Final = ("builtins", "numpy", "tensorflow", __name__.partition(".")[0])

# What functions of matrices mean for LinearOperators.
OF_OPERATORS: Final = ("linear_operators.functions",)
# Where the library's meanings are written: the modules of functions that a module is about. It is
# imported when one of those functions first gets a composite.
MODULES: Final = {
    "control.flow": ("ops.dispatch.any_composite",),
    "array.broadcasting": ("ops.ragged.ragged_shape",),
    "array.concatenation": ("ops.ragged.functions", "ops.ragged.partitions"),
    "array.fill": (
        "ops.ragged.ragged_shape",
        "ops.ragged.functions",
        "ops.dispatch.shape_functions",
    ),
    "array.gather": ("ops.ragged.gather",),
    "array.partitions": ("ops.ragged.partitions",),
    "array.rearrangement": ("ops.ragged.functions",),
    "array.select": ("ops.ragged.functions",),
    "array.shapes": (
        "ops.ragged.ragged_shape",
        "ops.ragged.functions",
        "ops.dispatch.shape_functions",
    ),
    "image.resize_functions": ("control.ragged_images",),
    "linalg.decompositions": OF_OPERATORS,
    "linalg.diagonals": OF_OPERATORS,
    "linalg.matmul": ("ops.ragged.products", *OF_OPERATORS),
    "linalg.solving": OF_OPERATORS,
    "math.arithmetic": ("ops.sparse.elementwise",),
    "math.cast": ("ops.ragged.values", "ops.sparse.elementwise"),
    "math.circular": ("ops.sparse.elementwise",),
    "math.counts": ("ops.sparse.counts",),
    "math.division": ("ops.sparse.elementwise",),
    "math.elementwise": ("ops.sparse.elementwise",),
    "math.moments": ("ops.ragged.reduce",),
    "math.norms": ("ops.ragged.values",),
    "math.reduce": ("ops.ragged.reduce",),
    "math.scan": ("ops.ragged.partitions",),
    "math.segments": ("ops.ragged.reduce",),
    "math.signs": ("ops.sparse.elementwise",),
    "math.special": ("ops.sparse.elementwise",),
    "math.sums": ("ops.ragged.functions",),
    "nn.bias_and_dropout": ("ops.ragged.values",),
    "nn.softmax": ("ops.ragged.functions",),
    "strings.byte_strings": ("ops.ragged.strings",),
}
OF_ELEMENTWISE: Final = ("ops.ragged.elementwise",)


class ElementKind(NamedTuple):
    """What functions do with the elements of their first operands, and may so have in common."""

    operands: int = 0  # how many: 0 for a function that is not elementwise
    is_assertion: bool = False


# The meanings of all functions of a kind: the library's by class (operations of many operands as
# those of one), and the users'.
OF_ELEMENTS: Final[dict[type, ElementMeaning]] = {}
OF_ASSERTIONS: Final[dict[type, ElementMeaning]] = {}
# The meaning of all functions for a class: it takes the function, its arguments and its options.
OF_ANY: Final[dict[type, Callable[[Callable[..., Any], tuple[Any, ...], Any], Any]]] = {}
OF_KIND: Final[dict[ElementKind, list[Registered]]] = {}
# Clients' answers to calls with objects of their own classes, which are no composites: symbolic
# inputs of Keras models. Each is for one function, or with None for all.
Handler = Callable[[Any, Sequence[Any], Mapping[str, Any]], Any]
OF_FOREIGN: Final[list[tuple[Callable[..., Any] | None, Handler]]] = []


class Meanings:
    """The row of the table for one function."""

    def __init__(self, function: Callable[..., Any], kind: ElementKind) -> None:
        self.function = function
        self.kind = kind
        self.registered: list[Registered] = []
        self.by_class: dict[type, Meaning] = {}
        self.is_loaded = False

    @lazy_property
    def parameters(self) -> TakenParameters:
        from .arguments import TakenParameters  # wanted when the first composite comes

        return TakenParameters(self.function)

    def result(self, found: list[Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """The result of a call by what the composites found in it mean; else NotImplemented."""
        if OF_FOREIGN and not all(isinstance(value, Composite) for value in found):
            result = self._of_handlers(args, kwargs)
            if result is not NotImplemented:
                return result
        call = self.parameters.call(args, kwargs)
        if call is None:
            return NotImplemented  # the function itself says which argument is wrong
        self._load()
        for meaning in (self._of_users, self._of_function, self._of_elements, self._of_any):
            if (result := meaning(found, call)) is not NotImplemented:
                return result
        return NotImplemented

    def _load(self) -> None:
        """Import what is written about the function."""
        if not self.is_loaded:
            own = MODULES.get(self.function.__module__.partition(".ops.")[2], ())
            for module in (*own, *OF_ELEMENTWISE) if self.kind.operands else own:
                import_module(f"{LASTING[-1]}.{module}")
            self.is_loaded = True

    def _of_handlers(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        for wanted in (self.function, None):
            for function, handler in OF_FOREIGN:
                if function is wanted:
                    result = handler(self.function, args, kwargs)
                    if result is not NotImplemented:
                        return result
        return NotImplemented

    def _of_users(self, _: list[Composite], call: GivenArguments) -> Any:
        of_kind = OF_KIND.get(self.kind, ())
        fitting = [one for one in (*self.registered, *of_kind) if one.matches(call)]
        if not fitting:
            return NotImplemented
        first, *others = fitting
        for other in others:
            if other.target is not first.target:
                name = self.function.__name__
                raise ValueError(
                    f"Multiple dispatch targets fit the arguments of {name}: {first.target} and "
                    f"{other.target}; unregister one, or let their signatures differ"
                )
        return first.result(self, call)

    def _of_function(self, found: list[Composite], call: GivenArguments) -> Any:
        if not self.by_class:
            return NotImplemented
        return _first(self.by_class, found, lambda meaning: meaning(*call.args, **call.kwargs))

    def _of_elements(self, found: list[Composite], call: GivenArguments) -> Any:
        if not self.kind.operands:
            return NotImplemented
        table = OF_ASSERTIONS if self.kind.is_assertion else OF_ELEMENTS
        operands, function = self.of_operands(call)
        return _first(table, found, lambda meaning: meaning(function, operands))

    def _of_any(self, found: list[Composite], call: GivenArguments) -> Any:
        if not OF_ANY:
            return NotImplemented
        return _first(OF_ANY, found, lambda meaning: meaning(self.function, call.args, call.kwargs))

    def of_operands(self, call: GivenArguments) -> tuple[tuple[Any, ...], Callable[..., Any]]:
        """The operands of a call, and the function of these alone, all else being as called."""
        count, function = self.kind.operands, self.function
        operands, rest, options = call.args[:count], call.args[count:], call.kwargs
        others, defaults = self.parameters.names[count:], self.parameters.defaults
        if all(one in defaults and call.arguments[one] is defaults[one] for one in others):
            return operands, function

        def applied(*parts: Any) -> Any:
            return function(*parts, *rest, **options)

        applied.__name__ = function.__name__
        return operands, applied


def _first(table: dict[type, Any], found: list[Composite], use: Callable[[Any], Any]) -> Any:
    """What `use` makes of the first meaning that a composite's class, or a base of it, has."""
    for value in found:
        for cls in type(value).__mro__:
            meaning = table.get(cls)
            if meaning is not None and (result := use(meaning)) is not NotImplemented:
                return result
    return NotImplemented


def composites_among(values: Iterable[Any]) -> list[Any]:
    """The composites among values, and what lists and tuples of them hold.

    With them, where clients have answers to these, the objects of others' classes.
    """
    found: list[Any] = []
    for value in values:
        cls = type(value)
        if cls in PLAIN:
            continue
        if issubclass(cls, Composite):
            found.append(value)
        elif issubclass(cls, (list, tuple)):
            if hasattr(cls, "is_composite_of_arrays"):
                found.append(value)
            elif not are_plain(map(type, value)):
                found += composites_among(value)
        elif cls.__module__.partition(".")[0] in LASTING:
            PLAIN.add(cls)
        elif OF_FOREIGN:
            found.append(value)
    return found


@overload
def dispatchable(function: Function) -> Function: ...
@overload
def dispatchable(
    *, elements: int = 0, asserts: bool = False, quick: type[Op] | None = None
) -> Callable[[Function], Function]: ...
def dispatchable(
    function: Any = None,
    *,
    elements: int = 0,
    asserts: bool = False,
    quick: type[Op] | None = None,
) -> Any:
    """A public function of tensors that has other meanings for composites.

    elements: how many operands it starts with whose elements it looks at one by one.
    quick: the operation that it is, without attributes, where it is called with the operands of
    that alone, and there is a kernel for these (eager/kernels/).
    """
    if function is None:
        return lambda function: _looking(function, ElementKind(elements, asserts), quick)
    return _looking(function, ElementKind(), quick)


def _looking(function: Function, kind: ElementKind, op: type[Op] | None) -> Function:
    plain = PLAIN  # a variable of this function is found sooner
    count = -1 if op is None else len(op.inputs)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) == count and not kwargs and op is not None and (quick := op.quick):
            result = quick(*args)
            if result is not NotImplemented:
                return result
        try:
            for value in (*args, *kwargs.values()) if kwargs else args:
                cls = type(value)
                if cls in plain or (cls is list and are_plain(map(type, value))):
                    continue
                if found := composites_among((*args, *kwargs.values())):
                    result = meanings.result(found, args, kwargs)
                    if result is not NotImplemented:
                        return result
                break
            return function(*args, **kwargs) if kwargs else function(*args)
        except Exception as error:
            if changes.promotion is not None:
                result = changes.promotion.retry(call, args, kwargs)
                if result is not NotImplemented:
                    return result
            if (known := context.top().interpreter.in_python((args, kwargs))) is not None:
                return call(*known[0], **known[1])
            hide_frames(error)
            raise

    meanings = with_meanings(call, kind)
    return cast(Function, call)


def with_meanings(function: Callable[..., Any], kind: ElementKind) -> Meanings:
    """The row of a function, which is an attribute of it."""
    meanings = Meanings(function, kind)
    function.meanings = meanings  # type: ignore[attr-defined]
    return meanings


def meanings_of(function: Any) -> Meanings | None:
    """The row of a public function; None where it has one meaning only."""
    found = getattr(function, "meanings", None)
    return found if isinstance(found, Meanings) else None


def means_for(function: Callable[..., Any], *classes: type) -> Callable[[Function], Function]:
    """Declare what `function` means where an argument is of one of these classes."""
    meanings = meanings_of(function)
    assert meanings is not None, function

    def declare(meaning: Function) -> Function:
        for cls in classes:
            assert cls not in meanings.by_class, (function, cls)
            meanings.by_class[cls] = meaning
        return meaning

    return declare


def elements_mean(cls: type, assertions: bool = False) -> Callable[[Function], Function]:
    """Declare what all elementwise functions (or assertions) mean for a class."""

    def declare(meaning: Function) -> Function:
        (OF_ASSERTIONS if assertions else OF_ELEMENTS)[cls] = meaning
        return meaning

    return declare
