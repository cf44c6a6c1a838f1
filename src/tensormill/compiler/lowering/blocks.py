"""Where statements go while a graph becomes loops: the open block, fresh names, buffers, errors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import InternalError
from ...graph.ir import Application
from ...ops.lowering import MOST_NUMBERS
from ..loops.ir import (
    Apply,
    Buffer,
    Check,
    Expression,
    Let,
    Literal,
    Load,
    Local,
    NativeCall,
    Set,
    Statement,
)
from ..loops.walk import every_part
from ..lowered import Failure
from .arrays import Size
from .expressions import is_longer, name_shared_parts
from .facts import Facts
from .scalars import SCALARS, Scalar, as_size, size_expression

LONG_SIZE = 16  # functions; most sizes are a sum or a quotient


@dataclass(eq=False, repr=False)  # quick to make: 0.1 ms
class Blocks:
    """The program under construction.

    `prologue` runs once, before everything else, outside of every loop: memory that loops reuse
    is declared there.
    """

    prologue: list[Statement] = field(default_factory=list[Statement])
    open: list[list[Statement]] = field(default_factory=lambda: [[]])
    failures: list[Failure] = field(default_factory=list[Failure])
    path: list[Application] = field(default_factory=list[Application])  # in whose graphs we are
    names: dict[str, int] = field(default_factory=dict[str, int])
    input_sizes: set[Expression] = field(default_factory=set[Expression])  # known at the start
    # Names and expressions of sizes of arrays, and what is reckoned from them: never negative.
    counts: set[Expression] = field(default_factory=set[Expression])
    narrowed: dict[Expression, Scalar] = field(default_factory=dict[Expression, Scalar])
    facts: Facts = field(default_factory=Facts)

    def fresh(self, stem: str) -> str:
        number = self.names.get(stem, 0)
        self.names[stem] = number + 1
        return f"{stem}.{number}" if number else stem

    def variable(self, stem: str, type_: str, mutable: bool = False) -> Local:
        return Local(self.fresh(stem), type_, mutable)

    def emit(self, *statements: Statement) -> None:
        self.open[-1].extend(statements)

    @property
    def is_outermost(self) -> bool:
        """Whether what is emitted runs once, if at all: not in a loop or a branch."""
        return len(self.open) == 1

    @contextmanager
    def block(self) -> Generator[list[Statement]]:
        """Statements emitted within go to a list of their own."""
        statements: list[Statement] = []
        self.open.append(statements)
        mark = self.facts.mark()
        try:
            yield statements
        finally:
            self.open.pop()
            self.facts.forget(mark)

    def named(self, scalar: Scalar) -> Expression:
        """The expression of `scalar`, shared parts named in the open block."""
        return self.all_named([scalar])[0]

    def all_named(self, scalars: Sequence[Scalar]) -> list[Expression]:
        """The expressions of several scalars, what they share named as well."""
        expressions = [one.expression for one in scalars]
        return name_shared_parts(expressions, self.variable, self.open[-1])

    def let(self, scalar: Scalar, stem: str = "s") -> Scalar:
        """`scalar` computed here, once."""
        return self.let_all([scalar], stem)[0]

    def let_all(self, scalars: Sequence[Scalar], stem: str = "s") -> tuple[Scalar, ...]:
        """Several scalars computed here, once, and what they share only once, too."""
        expressions = self.all_named(scalars)
        return tuple([self._let(*one, stem) for one in zip(scalars, expressions, strict=True)])

    def _let(self, scalar: Scalar, expression: Expression, stem: str) -> Scalar:
        """A name for `expression`, which `scalar` has become."""
        if not _worth_naming(scalar.expression):
            return scalar
        variable = self.variable(stem, scalar.dtype.kept_as)
        self.emit(Let(variable, expression))
        if self.is_count(scalar.expression):
            self.counts.add(variable)
        match scalar.expression:
            case Apply("cast", (size,), "i32") if size in self.counts and _lasts(size):
                self.narrowed[variable] = Scalar(size, dtypes.int64)
            case _:
                pass
        return Scalar(variable, scalar.dtype)

    def as_size(self, scalar: Scalar) -> Size:
        """An element of a shape as a size: the array's own, where it is its int32."""
        found = self.narrowed.get(scalar.expression)
        return as_size(SCALARS.cast(scalar, dtypes.int64)) if found is None else found

    def is_count(self, expression: Expression) -> bool:
        """Whether a number is surely not negative, since it is reckoned from sizes of arrays."""
        return self._is_count(expression, {})

    def _is_count(self, expression: Expression, found: dict[Expression, bool]) -> bool:
        """`found`: what was found of parts, which expressions may share many times over."""
        if (known := found.get(expression)) is None:
            known = found[expression] = self._looks_like_count(
                expression, lambda part: self._is_count(part, found)
            )
        return known

    def _looks_like_count(
        self, expression: Expression, is_count: Callable[[Expression], bool]
    ) -> bool:
        if isinstance(expression, Literal):
            return not isinstance(expression.value, complex) and expression.value >= 0
        if expression in self.input_sizes or expression in self.counts:
            return True
        match expression:
            case Apply("add" | "mul", _, "i32"):
                return False  # it may be too large
            case Apply("cast" | "add" | "mul" | "min" | "minimum", arguments):
                return all(map(is_count, arguments))
            case Apply("max" | "maximum", arguments):
                return any(map(is_count, arguments))
            case Apply("floor_divide" | "floor_modulo", (number, Literal(value))):
                return value > 0 and is_count(number)
            case _:
                return False

    def is_lasting(self, size: Size) -> bool:
        """Whether a size is the same in every block of the program."""
        return isinstance(size, int) or size.expression in self.input_sizes

    def short_size(self, size: Size) -> Size:
        """A size by which other sizes, and indices, may be reckoned: named where it is long.

        Each operation uses the sizes of its operands several times. Written out, the sizes of a
        chain of operations would grow exponentially.
        """
        if isinstance(size, int):
            return size
        if not is_longer(size.expression, LONG_SIZE):
            self.counts.add(size.expression)
            return size
        lasts = _lasts(size.expression)
        if lasts and (name := self.facts.name_of(size.expression)) is not None:
            return Scalar(name, size.dtype)
        named = self.let(size, "n")
        assert isinstance(named.expression, Local)
        self.counts.add(named.expression)
        if lasts:
            self.facts.call(size.expression, named.expression)
        return named

    def short_sizes(self, shape: Sequence[Size]) -> tuple[Size, ...]:
        return tuple(map(self.short_size, shape))

    def common_size(self, one: Scalar, other: Scalar, require: Callable[[Scalar], None]) -> Scalar:
        """What broadcasting makes of two sizes; `require` checks that they fit, if that is new."""
        lasting = _lasts(one.expression) and _lasts(other.expression)
        if lasting and (known := self.facts.common_size(one, other)) is not None:
            return known
        require((one == other) | (one == 1) | (other == 1))
        common = self.let(SCALARS.where(one == 1, other, one), "n")
        if lasting:
            self.facts.join(one, other, common)
        return common

    def let_size(self, size: Size) -> Size:
        return size if isinstance(size, int) else self.let(size, "n")

    def register(self, stem: str, dtype: DType, value: Scalar) -> Local:
        """A mutable register that starts as `value`."""
        variable = self.variable(stem, dtype.kept_as, mutable=True)
        self.emit(Set(variable, self.named(value)))
        return variable

    def registers(self, stem: str, values: Sequence[Scalar]) -> list[Local]:
        """Mutable registers that start as `values`."""
        variables = [self.variable(stem, value.dtype.kept_as, mutable=True) for value in values]
        self.emit(*map(Set, variables, self.all_named(values)))
        return variables

    def temporary(self, dtype: DType, shape: tuple[Size, ...], stem: str = "b") -> Buffer:
        sizes = tuple(size_expression(self.short_size(size)) for size in shape)
        return Buffer(self.fresh(stem), dtype.kept_as, sizes, "temporary")

    def pointed(self, dtype: DType, shape: tuple[Size, ...], stem: str = "p") -> Buffer:
        sizes = tuple(size_expression(self.short_size(size)) for size in shape)
        return Buffer(self.fresh(stem), dtype.kept_as, sizes, "pointer")

    def call(self, function: str, arguments: tuple[Expression, ...], type_: str) -> Local:
        """The answer of a native function."""
        result = self.variable("l", type_)
        self.emit(NativeCall(function, arguments, result))
        return result

    def index(self, stem: str = "i") -> tuple[Local, Scalar]:
        variable = self.variable(stem, "i64")
        return variable, Scalar(variable, dtypes.int64)

    def check(
        self, condition: Scalar, error: type[Exception], message: str, values: tuple[Any, ...]
    ) -> None:
        """Stop with `error` where `condition` is false at run time."""
        lasts = _lasts(condition.expression)
        if lasts and self.facts.is_checked(condition.expression):
            return
        if len(values) > MOST_NUMBERS:  # the frame has no room for more
            raise InternalError(f"a check shows {len(values)} numbers: {message}")
        operation = self.path[-1] if self.path else None
        self.failures.append(Failure(error, message, operation))
        shown = tuple(size_expression(value) for value in values)
        self.emit(Check(self.named(condition), len(self.failures) - 1, shown))
        if lasts:
            self.facts.check(condition.expression)


def _lasts(expression: Expression) -> bool:
    """Whether it stands for the same value from now on."""
    return not any(map(_may_change, every_part(expression)))


def _may_change(part: Expression) -> bool:
    return isinstance(part, Load) or (isinstance(part, Local) and part.mutable)


def _worth_naming(expression: Expression) -> bool:
    return not isinstance(expression, Literal) and (
        not isinstance(expression, Local) or expression.mutable
    )
