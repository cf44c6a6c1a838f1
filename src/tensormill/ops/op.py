"""The format in which operations are defined: one class, its fields, its rules.

    class MatMul(Op):
        "Matrix product."
        a = In("T m k | transpose_a: k m")
        b = In("T k n | transpose_b: n k")
        product = Out("T m n")
        transpose_a = Attr(False)
        transpose_b = Attr(False)
        T = types("f16 bf16 f32 f64")

        def eager(self, np): ...        # self.a, self.b are arrays
        def lower(self, loops): ...     # self.a, self.b are loop arrays
        def vjp(self, dproduct): ...    # self.a, self.b, self.product are tensors

Field names are the argument and attribute names of TensorFlow's OpDef, and the class name (or
`tf_name`) is the OpDef's name, so GraphDefs need no code per operation. An instance is *one
application*: its fields hold specs, arrays, tensors or loop arrays, whichever the rule speaks.

A field's pattern is a dtype followed by axes:

    "T *s"        any dtype of the class attribute T; shape bound to s
    "i32 n"       an int32 vector
    "i32 2"       of two numbers
    "T"           a scalar
    "T ..."       any shape, bound to nothing
    "N * T ..."   a list of tensors of one dtype
    "[Tin]"       a list of tensors, each of its own dtype and shape; where several outputs are
                  lists, the attribute `N` or `Tin` says how many tensors each has
    "| flag: k m" another choice of axes, when the attribute `flag` is true

A field whose name would hide something of `Op` ends with an underscore here (`lower_`). A family
whose rules read fields that its members declare annotates them: `data_format: Any`.
"""

from __future__ import annotations

import math
import struct
from collections import namedtuple
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, TypeAlias

from ..core import dtypes
from ..core.dtypes import DType
from ..core.process.named_tuples import NamedTuple
from ..core.specs import Known, TensorSpec, ValueSpec
from ..errors import DTypeMismatchError, OpError
from .demand_readers import EAGER, TRACED, TracedSizes, as_known
from .effects import Effect
from .infer import match_inputs, require_ranks, unify_fields
from .origins import Origin

REQUIRED: Final = object()
# A gradient that is zeros everywhere: of what it goes back through nothing is computed.
ZERO: Final[Any] = object()
# What an attribute is that is a list of integers.
ints: Final[Any] = list[int]
floats: Final[Any] = list[float]


class Moves(Enum):
    """What an operation does that gives elements of its operands, whatever they are."""

    ELEMENTS = "elements"  # it picks and orders them, or looks at their number
    NAMES = "names"  # all of one operand, in their order


def as_eager(self: Any, xla: Any) -> Any:
    """A rule `xla`: the kernel, which is right with JAX's functions of NumPy's names as well."""
    return self.eager(xla.np)


def as_lower(self: Any, xla: Any) -> Any:
    """A rule `xla`: `lower`, which says nothing but what both languages have words for."""
    return self.lower(xla)


FieldKind: TypeAlias = Literal["in", "out", "attr"]


class _Pattern(NamedTuple):
    """What the pattern of a field says; `ranks`: at least, at most, where it says anything."""

    number_attr: str | None  # of a list of tensors of one dtype
    mixed: bool  # a list of tensors, each of its own dtype and shape
    dtype: str
    axes: tuple[str, ...]
    variants: tuple[tuple[str, tuple[str, ...]], ...]
    ranks: tuple[int, float] | None


@cache  # there are not many
def _read(pattern: str) -> _Pattern:
    plain, *variants = pattern.split("|")
    number_attr, _, element = plain.rpartition(" * ")
    first, *axes = element.split() or [""]
    mixed = first.startswith("[")
    flags = [variant.split(":") for variant in variants]
    starred = any([axis.startswith("*") for axis in axes])
    least = len(axes) - starred
    says_rank = axes != ["..."] and not mixed and (least or not starred)
    return _Pattern(
        number_attr.strip() or None, mixed, first.strip("[]"), tuple(axes),
        tuple([(flag.strip(), tuple(axes.split())) for flag, axes in flags]),
        (least, math.inf if starred else least) if says_rank else None,
    )  # fmt: skip


def _kind_of(default: Any, allowed: Any) -> Any:
    if isinstance(allowed, str) and allowed:
        return str
    is_ints = type(default) is tuple and default and all([type(one) is int for one in default])
    return ints if is_ints else type(default)


class Field:
    """One declared input, output or attribute of an operation."""

    __slots__ = (
        "allowed", "axes", "default", "dtype", "fixed_dtype", "keyword", "kind", "listed", "mixed",
        "name", "number_attr", "ranks", "type", "variants",
    )  # fmt: skip

    def __init__(
        self,
        kind: FieldKind,
        pattern: str = "",
        default: Any = REQUIRED,
        allowed: str | frozenset[DType] = "",
        keyword: str = "",
        of: Any = None,
    ) -> None:
        self.kind: Final = kind
        self.keyword = keyword  # what `tf.raw_ops` calls it, where that is not its name
        self.name = ""
        # Of an attribute: what it is. A type in place of a default is that of one to be given.
        given = isinstance(default, type) or default is ints or default is floats
        self.default = REQUIRED if given else default
        self.type = of or (default if given else _kind_of(default, allowed))
        # Of an attribute, words or dtypes; none: whatever the rules take.
        self.allowed = tuple(allowed.split()) if isinstance(allowed, str) else allowed
        read = _read(pattern)
        self.number_attr = read.number_attr
        self.mixed = read.mixed
        self.listed = read.mixed or read.number_attr is not None
        self.dtype = read.dtype
        self.fixed_dtype: DType | None = dtypes.BY_SHORT.get(read.dtype)
        self.axes = read.axes
        self.variants = read.variants
        self.ranks = read.ranks

    @property
    def public(self) -> str:
        """Its name in TensorFlow."""
        return self.name.rstrip("_")

    def axes_of(self, application: Op) -> tuple[str, ...]:
        for flag, axes in self.variants:
            if getattr(application, flag):
                return axes
        return self.axes


def In(pattern: str, keyword: str = "") -> Any:
    """Declare an input. `keyword`: its name in `tf.raw_ops`, where that is another one."""
    return Field("in", pattern, keyword=keyword)


def Out(pattern: str) -> Any:
    """Declare an output."""
    return Field("out", pattern)


def Attr(
    default: Any = REQUIRED,
    allowed: str | frozenset[DType] = "",
    keyword: str = "",
    of: Any = None,
) -> Any:
    """Declare an attribute. Without a default, or with a type in its place, it must be given.

    allowed: besides the default, it may only be one of these words, or dtypes. keyword: as that of
    an input. of: its type, where the default, an empty list, does not tell.
    """
    return Field("attr", default=default, allowed=allowed, keyword=keyword, of=of)


def types(shorts: str) -> Any:
    """The dtypes that a symbol may stand for, by their short names: "f32 f64"."""
    return frozenset(dtypes.BY_SHORT[short] for short in shorts.split())


def usually(**symbols: str) -> Mapping[str, DType]:
    """`Op.usual`: `usually(T="f32")`."""
    return MappingProxyType({symbol: dtypes.BY_SHORT[word] for symbol, word in symbols.items()})


FLOATS: Final = types("f16 bf16 f32 f64")
REALS: Final = types("f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64")
COMPLEX: Final = types("c64 c128")
NUMBERS: Final = REALS | COMPLEX
NATIVE: Final = NUMBERS | types("bool")
# Kept, moved and cast, by NumPy.
NARROW: Final = frozenset(dtypes.NARROW)
QUANTIZED: Final = frozenset(dtypes.QUANTIZED)
ANY: Final = NATIVE | types("str") | NARROW | QUANTIZED
INDEX: Final = types("i32 i64")


def as_float32(number: Any) -> Any:
    """A float attribute: graphs keep float32. None, which leaves it its default, stays."""
    try:
        return None if number is None else struct.unpack("f", struct.pack("f", number))[0]
    except struct.error:
        raise TypeError(f"a float is wanted, got {number!r}") from None


@cache  # there are not many
def enums_of(allowed: frozenset[DType]) -> frozenset[int]:
    """The numbers of dtypes, which are found in a set without calling Python."""
    return frozenset([dtype.as_datatype_enum for dtype in allowed])


REGISTRY: dict[str, type[Op]] = {}


def named_in_files(name: str) -> type[Op] | None:
    """The operation of that name, where there is one that files may name."""
    op = REGISTRY.get(name)
    return op if op is not None and op.origin.is_in_files else None


class OpType(type):
    """Collects the fields of an operation and keeps their values in slots."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any
    ) -> Any:
        fields = {key: value for key, value in body.items() if isinstance(value, Field)}
        for key, field in fields.items():
            field.name = key
            del body[key]
        body["__slots__"] = (*body.get("__slots__", ()), *fields)
        body["own_fields"] = fields
        return super().__new__(mcs, name, bases, body, **options)


class Op(metaclass=OpType):
    """One application of an operation. Subclasses define operations; families are abstract.

    Rules that a definition may give (DESIGN: "one op, one place"):

    demands(self, sizes) -> anything             what operands must be like, see `ops/demands.py`:
                                                 every reader asks it before the rules below, which
                                                 find in `self.found` what it returned
    infer(self) -> specs of the outputs          fields are `Known`; default: the patterns
    eager(self, np) -> array(s)                  fields are arrays
    rows(self, np, varying) -> sequences         one for each output, of arrays: what the operation
                                                 gives for many operands, which are stacked where
                                                 they are `varying`; None where it cannot do that
    scalar(s, *x) -> scalar                      `s` is a scalar language (static; elementwise)
    lower(self, loops) -> loop array(s)          `loops` is described in `ops/lowering.py`
    xla(self, xla) -> array(s)                   `xla` is described in `xla/language.py`; fields are
                                                 JAX's arrays, of sizes that are known
    expand(self) -> tensor(s)                    in terms of other operations
    on_spans(self) -> tensor(s)                  in terms of other operations where strings are
                                                 `Spans` (ops/strings/spans), for native code;
                                                 NotImplemented where Python does it
    vjp(self, *dy) -> gradients, one per input   fields are tensors, outputs included
                                                 (or functions that give them, which are called
                                                 where somebody wants the gradient); None: it does
                                                 not depend; ZERO: it does, by zeros everywhere
    jvp(self, *dx) -> tangents, one per output   fields are tensors; None: zero
    """

    __slots__ = ("found",)
    found: Any  # what `demands` returned; None where tracing could not get to its end

    own_fields: ClassVar[dict[str, Field]]
    fields: ClassVar[dict[str, Field]] = {}
    inputs: ClassVar[tuple[Field, ...]] = ()
    outputs: ClassVar[tuple[Field, ...]] = ()
    attrs: ClassVar[tuple[Field, ...]] = ()
    input_names: ClassVar[tuple[str, ...]] = ()
    attr_defaults: ClassVar[tuple[tuple[str, Any], ...]] = ()
    choices: ClassVar[tuple[Field, ...]] = ()  # attributes that are one of a few words
    bools: ClassVar[tuple[Field, ...]] = ()  # attributes that are True or False
    string_inputs: ClassVar[tuple[Field, ...]] = ()  # those that are always strings
    takes_lists: ClassVar[bool] = False  # whether an input is a list of tensors
    takes_resources: ClassVar[bool] = False  # whether an input may be the handle of a variable
    allowed_enums: ClassVar[dict[str, frozenset[int]]] = {}  # the dtypes of a symbol, by `enum`
    name: ClassVar[str] = ""
    abstract: ClassVar[bool] = True
    origin: ClassVar[Origin] = Origin.TENSORFLOW
    effects: ClassVar[tuple[Effect, ...]] = ()
    differentiable: ClassVar[bool] = True
    # Whether it is linear in all its differentiable operands together: then it is its own `jvp`.
    linear: ClassVar[bool] = False
    # Whether it does the same to every element; operands broadcast.
    by_element: ClassVar[bool] = False
    # Whether it does the same to each element of what has the axes `*s`, wherever that lies: then
    # functions of datasets do it to the elements of many at once (data/segments.py).
    ignores_places: ClassVar[bool] = False
    # What it does where it only moves elements: to strings it does the same as to where they lie.
    moves: ClassVar[Moves | None] = None
    # Inputs that nothing but its gradient needs.
    only_saved: ClassVar[frozenset[str]] = frozenset()
    # Whether `vjp` gets None, not zeros, for an output that no gradient reached.
    takes_none: ClassVar[bool] = False
    # Whether a session may be given another value for its output: it is never known from operands.
    may_be_fed: ClassVar[bool] = False
    # Whether graphs record what it expands to in its place: it is another form of those operations.
    rephrases: ClassVar[bool] = False
    # From how many elements of its operands on eager execution runs compiled code
    # (core/native_operations.py), and which axes of an input have sizes that such code must know.
    native_from: ClassVar[int | None] = None
    native_axes: ClassVar[Mapping[str, slice]] = MappingProxyType({})
    # Inputs whose values it must know, which are few and mostly the same: separators.
    native_values: ClassVar[frozenset[str]] = frozenset()
    # A class method that takes arrays and attributes, and says what such code does in their place
    # (core/native_operations.py); None, where NumPy does it. Elementwise operations take vectors.
    fold: ClassVar[Any] = None
    # Whether its kernel works for long without Python's lock: then threads are worth their while.
    unlocked: ClassVar[bool] = False
    # Done in this process, whichever job or task blocks name around it.
    is_of_process: ClassVar[bool] = False
    # What values that are no tensors become where they may, NumPy's arrays among them: the dtypes
    # that TensorFlow's definition has for symbols where nothing else tells them.
    usual: ClassVar[Mapping[str, DType]] = MappingProxyType({})
    # Whether arrays of a dtype that is taken keep it eagerly, too, as they do in graphs.
    keeps_taken: ClassVar[bool] = False
    # Inputs of which eager execution takes one number for a vector of it, or a vector for its one
    # element, as TensorFlow's kernels do; graphs do not.
    loose: ClassVar[frozenset[str]] = frozenset()
    # What is raised of dtypes that are not taken; TensorFlow's definition may take them.
    refusal: ClassVar[type[DTypeMismatchError]] = DTypeMismatchError
    hinted: ClassVar[str] = ""  # the input that is a tensor before its dtype is compared
    # An input, a bool scalar: where it is true, the operation does nothing (assertions).
    guard: ClassVar[str] = ""
    as_float32: ClassVar[bool] = True
    # Attributes that an application gets from its name in a graph: a function of that.
    attrs_of_name: ClassVar[Callable[[str], Mapping[str, Any]] | None] = None
    # What the patterns of the inputs ask of ranks: (position, at least, at most); and the inputs
    # that have one shape. Every interpreter looks, whatever `infer` and the kernels do.
    ranks: ClassVar[tuple[tuple[int, int, float], ...]] = ()
    alike: ClassVar[tuple[int, ...]] = ()

    # Dtypes for which `eager` is nothing but `scalar`, where it is more than that for others.
    by_rule: ClassVar[frozenset[DType] | None] = None
    # Dtypes for which machine code gives the very bits that NumPy does.
    exact: ClassVar[frozenset[DType]] = frozenset()
    # What finds a kernel for a few tensors (eager/kernels/): a function of the operands, None
    # before there is one, False where there never is; and the kernels.
    quick: ClassVar[Any] = None
    kernels: ClassVar[dict[Any, Any]] = {}

    demands: ClassVar[Any] = None
    infer: Callable[..., Any]
    eager: ClassVar[Any] = None
    rows: ClassVar[Any] = None
    scalar: ClassVar[Any] = None
    lower: ClassVar[Any] = None
    expand: ClassVar[Any] = None
    on_spans: ClassVar[Any] = None
    # Of attributes, for which of them `on_spans` is a rule; None: for all.
    knows_spans: ClassVar[Callable[[Mapping[str, Any]], bool] | None] = None
    xla: ClassVar[Any] = None
    vjp: ClassVar[Any] = None
    jvp: ClassVar[Any] = None

    def __init_subclass__(cls, *, abstract: bool = False, tf_name: str | None = None) -> None:
        cls.fields = {**cls.fields, **cls.own_fields}
        kinds: dict[FieldKind, list[Field]] = {"in": [], "out": [], "attr": []}
        for field in cls.fields.values():
            kinds[field.kind].append(field)
        cls.inputs, cls.outputs = tuple(kinds["in"]), tuple(kinds["out"])
        cls.attrs = tuple(kinds["attr"])
        cls.input_names = tuple([field.name for field in cls.inputs])
        cls.attr_defaults = tuple([(field.name, field.default) for field in cls.attrs])
        cls.choices = tuple([one for one in cls.attrs if one.allowed])
        cls.bools = tuple([one for one in cls.attrs if one.type is bool])
        cls.string_inputs = tuple([one for one in cls.inputs if one.fixed_dtype is dtypes.string])
        cls.takes_lists = any([one.listed for one in cls.inputs])
        cls.takes_resources = any([_may_be_resource(cls, one) for one in cls.inputs])
        cls.allowed_enums = enums = dict[str, frozenset[int]]()
        for field in cls.inputs:
            if type(allowed := getattr(cls, field.dtype, None)) is frozenset:
                enums[field.dtype] = enums_of(allowed)
        cls.single = len(cls.outputs) == 1 and not cls.outputs[0].listed
        cls.ranks = tuple([(k, *one.ranks) for k, one in enumerate(cls.inputs) if one.ranks])
        starred = [k for k, field in enumerate(cls.inputs) if field.axes == ("*s",)]
        cls.alike = tuple(starred) if len(starred) > 1 else ()
        cls.quick, cls.kernels = None, {}
        cls.abstract = abstract
        if abstract:
            return
        cls.name = tf_name or cls.__name__
        # An import that was interrupted runs the same definition again, which replaces the first.
        other = REGISTRY.setdefault(cls.name, cls)
        if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(f"op '{cls.name}' is defined twice: {other} and {cls}")
        REGISTRY[cls.name] = cls

    def __init__(self, *operands: Any, **attrs: Any) -> None:
        for name, operand in zip(self.input_names, operands, strict=True):
            setattr(self, name, operand)
        for name, default in self.attr_defaults:
            value = attrs.pop(name, default)
            if value is REQUIRED:
                raise TypeError(f"{self.name} needs the attribute '{name}'")
            setattr(self, name, value)
        if attrs:
            known = [field.name for field in self.attrs]
            raise TypeError(f"{self.name} has no attribute {sorted(attrs)}; it has {known}")

    def evaluated(self, np: Any) -> Any:
        """What the kernel gives, of operands that are as they must be."""
        if self.demands is not None:
            self.found = self.demands(EAGER)
        return self.eager(np)

    def operand_list(self) -> tuple[Any, ...]:
        """All operands, lists among them flattened, in order."""
        flat: list[Any] = []
        for field in self.inputs:
            value = getattr(self, field.name)
            flat.extend(value) if field.listed else flat.append(value)
        return tuple(flat)

    def attr_values(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in self.attrs}

    def with_outputs(self, outputs: tuple[Any, ...]) -> Op:
        """This application with its outputs filled in."""
        if self.single:
            setattr(self, self.outputs[0].name, outputs[0])
            return self
        rest = list(outputs)
        for field, count in zip(self.outputs, self.output_counts(len(rest)), strict=True):
            setattr(self, field.name, tuple(rest[:count]) if field.listed else rest[0])
            del rest[:count]
        return self

    def output_counts(self, total: int) -> list[int]:
        """How many of `total` tensors each output has."""
        return counts_of_outputs(type(self), self.attr_values(), total)

    def output_list(self) -> tuple[Any, ...]:
        flat: list[Any] = []
        for field in self.outputs:
            value = getattr(self, field.name)
            flat.extend(value) if field.listed else flat.append(value)
        return tuple(flat)


@cache  # there are not many
def as_results(op: type[Op]) -> Any:
    """The named tuple of what an operation gives, which is called as the operation is."""
    return namedtuple(op.name, [field.public for field in op.outputs])


class RecordedOperation:
    """An operation that was applied, as tapes keep it: what it took and gave.

    It says what an application says, and is made one (`application`) when a rule asks for its
    fields: most that happens while a tape watches is never differentiated.

    `given` are the operands as the operation takes them, lists among them as tuples; `operands` and
    `outputs` are flat.
    """

    __slots__ = ("_made", "attrs", "given", "op", "operands", "outputs")

    def __init__(
        self,
        op: type[Op],
        given: tuple[Any, ...],
        attrs: Mapping[str, Any],
        outputs: tuple[Any, ...],
    ) -> None:
        self.op = op
        self.given = given
        self.attrs = attrs
        self.operands = flat_operands(op, given) if op.takes_lists else given
        self.outputs = outputs
        self._made: Op | None = None

    @property
    def application(self) -> Any:
        """The operation with its operands, attributes and outputs as fields."""
        if self._made is None:
            self._made = self.op(*self.given, **self.attrs).with_outputs(self.outputs)
        return self._made

    @property
    def differentiable(self) -> bool:
        return self.op.differentiable

    @property
    def takes_resources(self) -> bool:
        return self.op.takes_resources

    @property
    def name(self) -> str:
        return self.op.name

    def operand_list(self) -> tuple[Any, ...]:
        return self.operands

    def output_list(self) -> tuple[Any, ...]:
        return self.outputs


def flat_operands(op: type[Op], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """All operands, lists among them flattened, in order."""
    flat: list[Any] = []
    for field, operand in zip(op.inputs, given, strict=True):
        flat.extend(operand) if field.listed else flat.append(operand)
    return tuple(flat)


Op.infer = unify_fields


def _may_be_resource(op: type[Op], field: Field) -> bool:
    if field.fixed_dtype is not None:
        return field.fixed_dtype is dtypes.resource
    allowed = getattr(op, field.dtype, None)
    return not isinstance(allowed, frozenset) or dtypes.resource in allowed


def counts_of_outputs(op: type[Op], attrs: Mapping[str, Any], total: int) -> list[int]:
    """How many of `total` tensors each output has: as many as attributes say, and one list of which
    none says it takes what the others leave.
    """
    counts = [_said_count(field, attrs) if field.listed else 1 for field in op.outputs]
    if None in counts:
        left = total - sum(count for count in counts if count is not None)
        counts[counts.index(None)] = left
    return [0 if count is None else count for count in counts]


def _said_count(field: Field, attrs: Mapping[str, Any]) -> int | None:
    """How many tensors a list has, where an attribute says it."""
    said = attrs.get(field.number_attr or field.dtype)
    return len(said) if isinstance(said, (list, tuple)) else said


def specs_of(op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]) -> tuple[Any, ...]:
    """The specs of the flat outputs; `operands` are `Known` (a list operand is a tuple of them).

    Raises:
        ShapeMismatchError, DTypeMismatchError, InvalidArgumentError: the operands do not fit.
    """
    return inferred(op(*operands, **attrs))


def inferred(application: Op, sizes: TracedSizes = TRACED) -> tuple[ValueSpec, ...]:
    """What `infer` says, where the ranks are those of the patterns; `sizes` reads its demands.

    `infer` comes first: its messages are TensorFlow's.
    """
    try:
        if application.demands is not None:
            application.found = as_known(application, sizes)
        specs = application.infer()
    except OpError:
        raise
    except Exception:
        require_patterns(application)  # a rule that relies on them fails in Python's words
        raise
    _require_ranks(application)
    return specs if specs.__class__ is tuple else (specs,)


def require_patterns(application: Op) -> None:
    """Refuse operands, `Known`, that are not what the patterns say, in words of the patterns.

    Raises:
        ShapeMismatchError, DTypeMismatchError: so it is.
    """
    match_inputs(application)


def _require_ranks(application: Op) -> None:
    if application.eager is None and application.lower is None:
        require_patterns(application)  # no rule of its own looks at sizes
    elif application.ranks or application.alike:
        require_ranks(application)


__all__ = [
    "ANY", "COMPLEX", "FLOATS", "INDEX", "NATIVE", "NUMBERS", "REALS", "REGISTRY", "REQUIRED",
    "Attr", "Field", "In", "Known", "Moves", "Op", "Out", "TensorSpec", "as_eager", "as_float32",
    "as_lower", "inferred", "named_in_files", "specs_of", "types",
]  # fmt: skip
