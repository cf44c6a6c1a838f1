"""Expressions of the loop language as LLVM instructions."""

from __future__ import annotations

from typing import cast

from ..loops.functions import KIND, REAL_PART
from ..loops.ir import FRAME, Address, Apply, Buffer, Expression, Literal, Load, Local
from ..loops.ranges import is_inside
from ..loops.walk import every_part
from .arithmetic import apply
from .casts import from_bits, to_bits
from .module import ModuleText
from .types import ALIGNMENT, MEMORY, REGISTER, Register, Value, literal
from .writer import Writer


class Values:
    """Writes expressions into one function; knows what its names stand for.

    Parts that an expression shares are computed once a statement (`forget` begins the next one).
    """

    def __init__(self, module: ModuleText, w: Writer, frame: Register) -> None:
        self.module = module
        self.w = w
        self.frame = frame
        self.variables: dict[Local, Value] = {FRAME: frame}
        self.memory: dict[Local, Value] = {}  # where mutable variables are
        self.bases: dict[Buffer, Register] = {}
        self.tagged = True  # whether buffers can be told apart by their tags
        self.extents: dict[Local, Expression] = {}  # of the open loops
        self.group = ""  # the access group of the open loop
        self._done: dict[Expression, Value] = {}
        self._layouts: dict[Buffer, str | None] = {}

    def forget(self) -> None:
        """A new statement begins: memory may have changed."""
        self._done = {}

    def register(self, expression: Expression) -> Register:
        """The value of an expression that is not complex."""
        return cast(Register, self.value(expression))

    def value(self, expression: Expression) -> Value:
        if isinstance(expression, Literal):
            return literal(expression.value, expression.type)
        if isinstance(expression, Local):
            return self._variable(expression)
        if (done := self._done.get(expression)) is None:
            done = self._compute(expression)
            self._done[expression] = done
        return done

    def _compute(self, expression: Expression) -> Value:
        match expression:
            case Load():
                return self._load(expression)
            case Address(buffer, indices):
                rest = (Literal(0, "i64"),) * (len(buffer.shape) - len(indices))
                return self.element(buffer, (*indices, *rest) if indices else ())
            case Apply("where", arguments, type_):
                return self._where(arguments, type_)
            case Apply(function, arguments, type_):
                values = [self.value(argument) for argument in arguments]
                return apply(self.w, function, arguments[0].type, type_, values)
            case _:
                raise TypeError(f"no expression: {expression}")

    def regrouped(self, expression: Apply) -> Value:
        """An application whose float additions may be regrouped and joined with products."""
        values = [self._factor(argument) for argument in expression.arguments]
        source = expression.arguments[0].type
        flags = " reassoc contract"
        return apply(self.w, expression.function, source, expression.type, values, flags)

    def _factor(self, expression: Expression) -> Value:
        if isinstance(expression, Apply) and expression.function == "mul":
            values = [self.value(argument) for argument in expression.arguments]
            return apply(self.w, "mul", expression.type, expression.type, values, " contract")
        return self.value(expression)

    # ---------------------------------------------------------------- variables

    def _variable(self, variable: Local) -> Value:
        if (place := self.memory.get(variable)) is not None:
            kept = REGISTER[variable.type]
            if isinstance(place, str):
                return self.w.line(f"load {kept}, ptr {place}")
            first, second = (self.w.line(f"load {kept}, ptr {each}") for each in place)
            return first, second
        if (known := self.variables.get(variable)) is None:
            known = self._from_frame(variable)
            self.variables[variable] = known
        return known

    def _from_frame(self, variable: Local) -> Value:
        """A word of the frame, read when the function begins."""
        address = self._frame_word(self.module.places[variable])
        lines, self.w.lines = self.w.lines, self.w.entry
        value = self._read(address, variable.type, "")
        self.w.lines = lines
        return value

    def _frame_word(self, word: int) -> Register:
        name = self.w.name()
        self.w.entry.append(f"  {name} = getelementptr i64, ptr {self.frame}, i64 {word}")
        return name

    def set(self, variable: Local, value: Value) -> None:
        """Change a mutable variable."""
        kept, place = REGISTER[variable.type], self.place(variable)
        for each, at in zip(_flat(value), _flat(place), strict=True):
            self.w.do(f"store {kept} {each}, ptr {at}")

    def place(self, variable: Local) -> Value:
        """Where a mutable variable is."""
        if (place := self.memory.get(variable)) is None:
            kept = REGISTER[variable.type]
            align = ALIGNMENT.get(kept, 1)
            place = self.w.stack(kept, align)
            if KIND[variable.type] == "c":
                place = place, self.w.stack(kept, align)
            self.memory[variable] = place
        return place

    # ---------------------------------------------------------------- memory

    def base(self, buffer: Buffer) -> Register:
        """Where a buffer begins."""
        if (base := self.bases.get(buffer)) is None:
            base = self._given_base(buffer)
            self.bases[buffer] = base
        return base

    def _given_base(self, buffer: Buffer) -> Register:
        if (word := self.module.places.get(buffer)) is None:
            return self.module.constant(buffer)
        address, name = self._frame_word(word), self.w.name()
        self.w.entry.append(f"  {name} = load ptr, ptr {address}")
        return name

    def _load(self, load: Load) -> Value:
        address = self.element(load.buffer, load.indices)
        return self._read(address, load.buffer.type, self.marks(load.buffer))

    def marks(self, buffer: Buffer) -> str:
        """What every access of a buffer says."""
        return (self.module.tag(buffer) if self.tagged else "") + self.group

    def _read(self, address: Register, type_: str, marks: str) -> Value:
        w, kept = self.w, MEMORY[type_]
        align = ALIGNMENT[kept]
        first = w.line(f"load {kept}, ptr {address}, align {align}{marks}")
        if KIND[type_] == "c":
            second = w.line(f"getelementptr inbounds {kept}, ptr {address}, i64 1")
            return first, w.line(f"load {kept}, ptr {second}, align {align}{marks}")
        if type_ == "f16":
            return w.line(f"fpext half {first} to float")
        return from_bits(w, first, type_) if kept != REGISTER[type_] else first

    def store(self, buffer: Buffer, address: Register, value: Value) -> None:
        """Write one element."""
        w, kept, marks = self.w, MEMORY[buffer.type], self.marks(buffer)
        align = ALIGNMENT[kept]
        if isinstance(value, tuple):
            w.do(f"store {kept} {value[0]}, ptr {address}, align {align}{marks}")
            second = w.line(f"getelementptr inbounds {kept}, ptr {address}, i64 1")
            w.do(f"store {kept} {value[1]}, ptr {second}, align {align}{marks}")
            return
        if buffer.type == "f16":
            value = w.line(f"fptrunc float {value} to half")
        elif kept != REGISTER[buffer.type]:
            value = to_bits(w, value, buffer.type)
        w.do(f"store {kept} {value}, ptr {address}, align {align}{marks}")

    def element(self, buffer: Buffer, indices: tuple[Expression, ...]) -> Register:
        """The address of an element."""
        base, kept = self.base(buffer), _element_type(buffer.type)
        if not indices:
            return base
        if len(indices) == 1:
            index = self.register(indices[0])
            return self.w.line(f"getelementptr inbounds {kept}, ptr {base}, i64 {index}")
        if (layout := self._layout(buffer, kept)) is not None:
            shown = ", ".join(f"i64 {self.register(index)}" for index in indices)
            return self.w.line(f"getelementptr inbounds {layout}, ptr {base}, {shown}")
        offset = self._offset(buffer, indices)
        return self.w.line(f"getelementptr inbounds {kept}, ptr {base}, i64 {offset}")

    def _layout(self, buffer: Buffer, kept: str) -> str | None:
        """The array type of what the first index counts; None where a size is not known."""
        if buffer not in self._layouts:
            layout: str | None = kept
            for size in reversed(buffer.shape[1:]):
                known = isinstance(size, Literal) and layout is not None
                layout = f"[{size.value} x {layout}]" if known else None  # type: ignore[union-attr]
            self._layouts[buffer] = layout
        return self._layouts[buffer]

    def _offset(self, buffer: Buffer, indices: tuple[Expression, ...]) -> Register:
        offset = self.register(indices[0])
        for size, index in zip(buffer.shape[1:], indices[1:], strict=True):
            product = self.w.line(f"mul nsw i64 {offset}, {self.register(size)}")
            offset = self.w.line(f"add nsw i64 {product}, {self.register(index)}")
        return offset

    # ---------------------------------------------------------------- choices

    def _where(self, arguments: tuple[Expression, ...], type_: str) -> Value:
        """A selection where both sides may be computed; otherwise a branch to the chosen one."""
        condition, yes, no = arguments
        chosen = self.register(condition)
        if not (self._is_safe(yes) and self._is_safe(no)):
            return self._branch(chosen, yes, no, REGISTER[type_])
        pairs = zip(_flat(self.value(yes)), _flat(self.value(no)), strict=True)
        kept = REGISTER[type_]
        found = [self.w.line(f"select i1 {chosen}, {kept} {a}, {kept} {b}") for a, b in pairs]
        return found[0] if len(found) == 1 else (found[0], found[1])

    def _is_safe(self, expression: Expression) -> bool:
        return all(
            is_inside(part, self.extents) or part in self._done
            for part in every_part(expression)
            if isinstance(part, Load)
        )

    def _branch(self, chosen: Register, yes: Expression, no: Expression, kept: str) -> Value:
        labels = [self.w.fresh_label(stem) for stem in ("yes", "no", "either")]
        self.w.branch(chosen, labels[0], labels[1])
        sides: list[tuple[tuple[Register, ...], str]] = []
        for label, side in zip(labels, (yes, no), strict=False):
            before = dict(self._done)
            self.w.begin(label)
            sides.append((_flat(self.value(side)), self.w.label))
            self.w.jump(labels[2])
            self._done = before
        self.w.begin(labels[2])
        found = [
            self.w.phi(kept, (a, sides[0][1]), (b, sides[1][1]))
            for a, b in zip(sides[0][0], sides[1][0], strict=True)
        ]
        return found[0] if len(found) == 1 else (found[0], found[1])


def _flat(value: Value) -> tuple[Register, ...]:
    return (value,) if isinstance(value, str) else value


def _element_type(type_: str) -> str:
    """What addresses step over: both parts of a complex number at once."""
    kept = MEMORY[type_]
    return f"{{ {kept}, {kept} }}" if type_ in REAL_PART else kept
