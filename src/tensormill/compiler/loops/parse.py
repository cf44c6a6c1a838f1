"""Programs read back from their text (`text` beside this file writes it)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias
from typing import Literal as OneOf

import numpy as np

from ...core.dtypes import BY_SHORT
from ...core.tokens import Tokens
from .functions import KIND, result_type
from .ir import (
    CALL,
    FRAME,
    HINTS,
    SPACES,
    Address,
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    NativeCall,
    NativeFunction,
    Program,
    Repeat,
    Return,
    Set,
    Space,
    Statement,
    Store,
    Together,
)
from .records import Record
from .text import INFIX

_NAME_OF_INFIX: Final = {sign: name for name, sign in INFIX.items()}
_TOKENS: Final = re.compile(
    r"(?P<number>-?(?:inf|nan|\d+(?:\.\d*)?(?:e[+-]?\d+)?)"
    r"(?:ptr|b?f16|f32|f64|[iu](?:8|16|32|64)|c64|c128)?(?![\w.]))"
    r"|(?P<name>[A-Za-z_][\w.]*)"
    r"|(?P<sign>//|->|==|!=|<=|>=|[-+*/%<>&|^()\[\],:=])"
)


Line: TypeAlias = Tokens[OneOf["number", "name", "sign"]]


class LoopSyntaxError(ValueError):
    """Text that is no program; the message shows the line."""


def parse(text: str) -> Program:
    """The program that a text describes.

    Raises:
        LoopSyntaxError: the text is no program.
    """
    return _Reader(_lines(text)).program()


def parse_function(text: str, records: Mapping[str, Record] | None = None) -> NativeFunction:
    """The function that a text describes.

    `records` are notation: where `bind it: List at list` names one, `it.length` is the buffer of
    its field `length`, and the fields that are named become a `Bind` each.

    Raises:
        LoopSyntaxError: the text is no function.
    """
    return _Reader(_lines(text), records or {}).function()


def _lines(text: str) -> list[tuple[int, str]]:
    """What is not empty, nor a comment; and which line it is."""
    lines = enumerate(text.splitlines(), 1)
    return [(k, line.rstrip()) for k, line in lines if line.strip() and line.lstrip()[0] != "#"]


class _View:
    """A record that lies at `address`: the place in a block where its fields are bound."""

    def __init__(self, name: str, record: Record, address: Expression) -> None:
        self.name = name
        self.record = record
        self.address = address
        self.binds: dict[str, Bind] = {}

    def bound(self, name: str) -> Buffer:
        """The buffer of a field."""
        if (known := self.binds.get(name)) is not None:
            return known.buffer
        if (found := self.record.fields.get(name)) is None:
            raise ValueError(f"a {self.record.name} has no field {name}")
        shape = () if found.elements is None else (Literal(found.elements, "i64"),)
        buffer = Buffer(f"{self.name}.{name}", found.type, shape, "pointer")
        offset = Literal(found.offset, "i64")
        at = Apply("add", (self.address, offset), "ptr") if found.offset else self.address
        self.binds[name] = Bind(buffer, at)
        return buffer


class _Reader:
    def __init__(
        self, lines: list[tuple[int, str]], records: Mapping[str, Record] | None = None
    ) -> None:
        self._lines = lines
        self._records = records or {}
        self._next = 0
        self._variables: dict[str, Local] = {FRAME.name: FRAME}
        self._buffers: dict[str, Buffer] = {}
        self._views: dict[str, _View] = {}

    # ---------------------------------------------------------------- the header

    def program(self) -> Program:
        line = self._line()
        line.take("program")
        name = line.take()
        line.take("(")
        frame = self._entries(line)
        while self._more(2) and self._lines[self._next][1].split()[0] == "constant":
            self._constant_buffer(*self._lines[self._next])
            self._next += 1
        return Program(name, frame, self._block(2))

    def _entries(self, line: Line) -> tuple[Buffer | Local, ...]:
        """Variables are declared first, since sizes before them may name them."""
        start = line.at
        self._entries_once(line)
        line.at = start
        entries = self._entries_once(line)
        line.take(":")
        return tuple(entries)

    def _entries_once(self, line: Line) -> list[Buffer | Local]:
        entries: list[Buffer | Local] = []
        while not line.accept(")"):
            if (entry := self._entry(line)) is not None:
                entries.append(entry)
            line.accept(",")
        return entries

    def _entry(self, line: Line) -> Buffer | Local | None:
        name = line.take()
        line.take(":")
        word = line.take()
        if word in KIND:
            return self._variables.setdefault(name, Local(name, word))
        depth, start = 0, line.at
        while depth or line.peek() not in (",", ")"):
            depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(line.take(), 0)
        names = [token.text for token in line.since(start) if token.kind == "name"]
        if any(one not in self._variables and one not in KIND for one in names):
            return None
        line.at = start
        if word not in SPACES:
            raise line.wrong(f"{word} is neither a type nor a space", -1)
        return self._declare_buffer(line, name, SPACES[word])

    def _declare_buffer(self, line: Line, name: str, space: Space) -> Buffer:
        type_ = line.take()
        if type_ not in KIND:
            raise line.wrong(f"{type_} is no type", -1)
        buffer = Buffer(name, type_, self._list(line, "[", "]"), space)
        self._buffers[name] = buffer
        return buffer

    def _constant_buffer(self, number: int, line: str) -> None:
        """`constant c: f32[2] = [1.0, 2.0]`, or `= bytes 0000803f…`."""
        declaration, shown = line.split(" = ")
        words: Line = Tokens(declaration, _TOKENS, LoopSyntaxError, number)
        words.take("constant")
        name = words.take()
        words.take(":")
        buffer = self._declare_buffer(words, name, "constant")
        dtype = BY_SHORT[buffer.type].storage
        shape = [size.value for size in buffer.shape if isinstance(size, Literal)]
        if shown.startswith("bytes "):
            data = np.frombuffer(bytes.fromhex(shown[6:]), dtype)
        else:
            data = np.array([_python_value(word) for word in shown[1:-1].split(",") if word], dtype)
        made = Buffer(name, buffer.type, buffer.shape, "constant", data.reshape(shape))
        self._buffers[name] = made

    def function(self) -> NativeFunction:
        line = self._line()
        hint = line.take() if line.peek() != "function" else ""
        if (known := HINTS.get(hint)) is None:
            raise line.wrong(f"{hint} is not said of functions", -1)
        line.take("function")
        name = line.take()
        line.take("(")
        parameters: list[Local] = []
        while not line.accept(")"):
            parameters.append(self._parameter(line))
            line.accept(",")
        result = line.take() if line.accept("->") else None
        line.take(":")
        return NativeFunction(name, tuple(parameters), result, self._block(2), known)

    def _parameter(self, line: Line) -> Local:
        if line.peek() != FRAME.name:
            return self._declaration(line)
        line.take()
        line.take(":")
        line.take(FRAME.type)
        return FRAME

    # ---------------------------------------------------------------- statements

    def _line(self) -> Line:
        self._next += 1
        number, line = self._lines[self._next - 1]
        return Tokens(line, _TOKENS, LoopSyntaxError, number)

    def _more(self, depth: int) -> bool:
        if self._next >= len(self._lines):
            return False
        _, line = self._lines[self._next]
        return len(line) - len(line.lstrip()) >= depth

    def _block(self, depth: int) -> tuple[Statement, ...]:
        found: list[Statement | _View] = []
        while self._more(depth):
            line = self._line()
            if line.peek() != "pass":
                found.append(self._statement(line, depth))
        statements: list[Statement] = []
        for one in found:
            statements += one.binds.values() if isinstance(one, _View) else [one]
        return tuple(statements)

    def _statement(self, line: Line, depth: int) -> Statement | _View:
        word = line.peek()
        reader = getattr(self, f"_read_{word}", None)
        if reader is None or line.peek(1) == "[":
            statement = self._store(line)
        else:
            line.take()
            statement = reader(line, depth)
        if line.peek():
            raise line.wrong("more than one statement")
        return statement

    def _read_let(self, line: Line, depth: int) -> Statement:
        variable = self._declaration(line)
        line.take("=")
        return Let(variable, self._expression(line))

    def _read_set(self, line: Line, depth: int) -> Statement:
        if line.peek(1) == ":":
            variable = self._declaration(line, mutable=True)
        else:
            variable = self._variable(line)
        line.take("=")
        return Set(variable, self._expression(line))

    def _store(self, line: Line) -> Statement:
        buffer = self._buffer(line)
        indices = self._indices(line)
        line.take("=")
        return Store(buffer, indices, self._expression(line))

    def _read_allocate(self, line: Line, depth: int) -> Statement:
        name = line.take()
        line.take(":")
        return Allocate(self._declare_buffer(line, name, "temporary"))

    def _read_bind(self, line: Line, depth: int) -> Statement | _View:
        name = line.take()
        line.take(":")
        if (record := self._records.get(line.peek())) is not None:
            line.take()
            line.take("at")
            view = self._views[name] = _View(name, record, self._expression(line))
            return view
        buffer = self._declare_buffer(line, name, "pointer")
        line.take("at")
        return Bind(buffer, self._expression(line))

    def _read_call(self, line: Line, depth: int) -> Statement:
        result = self._declaration(line) if line.peek(1) == ":" else None
        if result is not None:
            line.take("=")
        function = line.take()
        arguments = self._list(line, "(", ")")
        reads = self._named_buffers(line) if line.accept("reads") else ()
        writes = self._named_buffers(line) if line.accept("writes") else ()
        pure = line.accept("pure")
        work = int(line.take()) if line.accept("takes") else CALL
        return NativeCall(function, arguments, result, reads, writes, pure, work)

    def _named_buffers(self, line: Line) -> tuple[Buffer, ...]:
        found = [self._buffer(line)]
        while line.accept(","):
            found.append(self._buffer(line))
        return tuple(found)

    def _read_check(self, line: Line, depth: int) -> Statement:
        condition = self._expression(line)
        line.take("else")
        error = int(line.take())
        return Check(condition, error, self._list(line, "(", ")"))

    def _read_return(self, line: Line, depth: int) -> Statement:
        return Return(self._expression(line) if line.peek() else None)

    def _read_for(self, line: Line, depth: int, parallel: bool = False) -> Statement:
        index = Local(line.take(), "i64")
        line.take("in")
        extent = self._expression(line)
        self._variables[index.name] = index
        reassociate = line.accept("reassociate")
        grain = self._expression(line) if line.accept("grain") else None
        line.take(":")
        return For(index, extent, self._block(depth + 2), parallel, reassociate, grain)

    def _read_parfor(self, line: Line, depth: int) -> Statement:
        return self._read_for(line, depth, parallel=True)

    def _read_while(self, line: Line, depth: int) -> Statement:
        if line.peek() != ":":
            condition = self._expression(line)
            line.take(":")
            return Repeat((), condition, self._block(depth + 2))
        line.take(":")
        before = self._block(depth + 2)
        holds = self._line()
        holds.take("holds")
        condition = self._expression(holds)
        return Repeat(before, condition, self._block(depth + 2))

    def _read_if(self, line: Line, depth: int) -> Statement:
        condition = self._expression(line)
        line.take(":")
        then = self._block(depth + 2)
        otherwise: tuple[Statement, ...] = ()
        if self._more(depth) and self._lines[self._next][1] == " " * depth + "else:":
            self._next += 1
            otherwise = self._block(depth + 2)
        return Choice(condition, then, otherwise)

    def _read_together(self, line: Line, depth: int) -> Statement:
        sides, turns = list[tuple[Statement, ...]](), list[Expression]()
        while True:
            turns.append(self._expression(line))
            line.take("turns")
            line.take(":")
            sides.append(self._block(depth + 2))
            following = " " * depth + "beside "
            if not (self._more(depth) and self._lines[self._next][1].startswith(following)):
                return Together(tuple(sides), tuple(turns))
            line = self._line()
            line.take("beside")

    # ---------------------------------------------------------------- expressions

    def _declaration(self, line: Line, mutable: bool = False) -> Local:
        name = line.take()
        line.take(":")
        variable = Local(name, line.take(), mutable)
        self._variables[name] = variable
        return variable

    def _variable(self, line: Line) -> Local:
        name = line.take()
        if name not in self._variables:
            raise line.wrong(f"{name} is not known", -1)
        return self._variables[name]

    def _buffer(self, line: Line) -> Buffer:
        name = line.take()
        if (buffer := self._buffers.get(name)) is not None:
            return buffer
        view, _, field_name = name.rpartition(".")
        if view not in self._views:
            raise line.wrong(f"no buffer {name} is known", -1)
        return self._views[view].bound(field_name)

    def _indices(self, line: Line) -> tuple[Expression, ...]:
        if line.peek(1) == "flat":
            line.take("[")
            line.take("flat")
            line.at -= 1
            return self._list(line, "flat", "]")
        return self._list(line, "[", "]")

    def _list(self, line: Line, opening: str, closing: str) -> tuple[Expression, ...]:
        line.take(opening)
        found: list[Expression] = []
        while not line.accept(closing):
            found.append(self._expression(line))
            line.accept(",")
        return tuple(found)

    def _expression(self, line: Line) -> Expression:
        if line.token().kind == "number":
            return _constant(line.take())
        if line.accept("&"):
            buffer = self._buffer(line)
            return Address(buffer, self._list(line, "[", "]") if line.peek() == "[" else ())
        if line.accept("("):
            return self._infix(line)
        if line.peek() in ("true", "false"):
            return Literal(line.take() == "true", "bool")
        if line.peek(1) == "[":
            return Load(self._buffer(line), self._indices(line))
        if line.peek(1) in ("(", ":") and line.peek() not in self._variables:
            return self._apply(line)
        return self._variable(line)

    def _infix(self, line: Line) -> Expression:
        left = self._expression(line)
        if line.accept(","):  # a complex number
            right = self._expression(line)
            line.take(")")
            assert isinstance(left, Literal)
            assert isinstance(right, Literal)
            return Literal(complex(left.value, right.value), line.take())
        function = _NAME_OF_INFIX[line.take()]
        arguments = (left, self._expression(line))
        line.take(")")
        return _applied(function, arguments, None)

    def _apply(self, line: Line) -> Expression:
        function = line.take()
        type_ = line.take() if line.accept(":") else None
        return _applied(function, self._list(line, "(", ")"), type_)


def _applied(function: str, arguments: tuple[Expression, ...], type_: str | None) -> Expression:
    found = type_ or result_type(function, [argument.type for argument in arguments])
    if found is None:
        raise ValueError(f"{function} must say its type")
    return Apply(function, arguments, found)


def _constant(text: str) -> Literal:
    if text.isdecimal():  # most are
        return Literal(int(text), "i64")
    suffix = max((one for one in KIND if text.endswith(one)), key=len, default="")
    value = _python_value(text.removesuffix(suffix))
    if not suffix:
        return Literal(value, "i64" if isinstance(value, int) else "f32")
    return Literal(float(value) if KIND[suffix] == "f" else value, suffix)


def _python_value(word: str) -> int | float | bool:
    word = word.strip()
    if word in ("True", "False"):
        return word == "True"
    return int(word) if word.lstrip("-").isdigit() else float(word)
