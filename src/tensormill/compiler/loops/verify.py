"""Whether a program makes sense: types, ranks, and that names are known where they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import InternalError
from .functions import KIND, NumberKind, check_conversion, result_type
from .ir import (
    FRAME,
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
    Signature,
    Statement,
    Store,
    Together,
)
from .sides import why_not_together
from .text import function_text, text
from .walk import Block, Compound, every_part, every_statement

_MOST_VALUES = 8


Signatures = Mapping[str, Signature]


def verify(program: Program, signatures: Signatures | None = None) -> Program:
    """The program itself. `signatures` are those of functions that it may call.

    Raises:
        InternalError: it makes no sense; the message shows why under the statement, within the
            printed program.
    """
    verifier = _Verifier(program.frame, signatures or {})
    try:
        verifier.frame(program.frame)
        verifier.block(program.body)
    except ValueError as problem:
        note = str(problem)
        if verifier.current is None:
            raise InternalError(f"program {program.name}: {note}") from None
        shown = text(program, {verifier.current: note})
        raise InternalError(f"program {program.name}: {note}\n{shown}") from None
    return program


def verify_function(function: NativeFunction, signatures: Signatures) -> NativeFunction:
    """The function itself; it calls nothing but what has one of the `signatures`.

    Raises:
        InternalError: it makes no sense; the message shows why under the statement, within the
            printed function.
    """
    verifier = _Verifier((), signatures, function)
    try:
        verifier.function(function)
    except ValueError as problem:
        notes = {verifier.current: str(problem)} if verifier.current else {}
        shown = function_text(function, notes)
        raise InternalError(f"function {function.name}: {problem}\n{shown}") from None
    return function


class _Verifier:
    def __init__(
        self,
        frame: Iterable[Buffer | Local],
        signatures: Signatures,
        function: NativeFunction | None = None,
    ) -> None:
        self.current: Statement | None = None
        self._signatures = signatures
        self._function = function
        self._variables: set[Local] = {FRAME} if function is None else set(function.parameters)
        self._fixed = set[Local]()  # mutable, but not to be set: a parallel loop is open
        self._buffers = set[Buffer]()
        self._checked = set[Expression]()

    def frame(self, frame: tuple[Buffer | Local, ...]) -> None:
        self._variables.update(one for one in frame if isinstance(one, Local))
        for entry in frame:
            if isinstance(entry, Buffer):
                if entry.space in ("temporary", "pointer"):
                    raise ValueError(f"{entry.name}: a {entry.space} buffer is not in the frame")
                self._declare(entry)

    def function(self, function: NativeFunction) -> None:
        for one in function.parameters:
            if one.type not in KIND or one.mutable:
                raise ValueError(f"{one.name} is no parameter")
        self.block(function.body)
        if function.result is not None and not _returns(function.body):
            raise ValueError("there is a way to its end without a result")

    def block(self, block: Block) -> None:
        """Names end with the block that made them, but for mutable variables."""
        variables, buffers = set(self._variables), set(self._buffers)
        for statement in block:
            self.current = statement
            self._checked.clear()
            self._statement(statement)
        if any(isinstance(one, Return) for one in block[:-1]):
            raise ValueError("what follows a return is never reached")
        self._leave(variables, buffers)

    def _leave(self, variables: set[Local], buffers: set[Buffer]) -> None:
        mutable = {one for one in self._variables if one.mutable}
        self._variables, self._buffers = variables | mutable, buffers

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Let(variable, value):
                self._let(variable, self._type(value))
            case Set(variable, value):
                self._set(variable, self._type(value))
            case Store(buffer, indices, value):
                self._store(buffer, indices, value)
            case Allocate(buffer):
                self._allocate(buffer)
            case Bind(buffer, address):
                self._expect(address, "ptr")
                if buffer.space != "pointer":
                    raise ValueError(f"{buffer.name}: only a pointer buffer is bound")
                self._declare(buffer)
            case NativeCall():
                self._call(statement)
            case Check(condition, _, values):
                self._check(condition, values)
            case Return(value):
                self._return(value)
            case For() | Repeat() | Choice() | Together():
                self._compound(statement)

    def _let(self, variable: Local, type_: str) -> None:
        if variable.mutable or variable in self._variables:
            raise ValueError(f"{variable.name} is named twice, or mutable")
        self._same(variable.name, variable.type, type_)
        self._variables.add(variable)

    def _set(self, variable: Local, type_: str) -> None:
        if not variable.mutable:
            raise ValueError(f"{variable.name} is not mutable")
        if variable in self._fixed:
            raise ValueError(f"{variable.name} is set in a parallel loop that did not make it")
        self._same(variable.name, variable.type, type_)
        self._variables.add(variable)

    def _store(self, buffer: Buffer, indices: tuple[Expression, ...], value: Expression) -> None:
        self._access(buffer, indices)
        if buffer.space in ("input", "constant"):
            raise ValueError(f"{buffer.name} is an {buffer.space} and never written")
        self._same(buffer.name, buffer.type, self._type(value))

    def _allocate(self, buffer: Buffer) -> None:
        if buffer.space != "temporary":
            raise ValueError(f"{buffer.name}: only a temporary buffer is allocated")
        if self._function is not None and not all(isinstance(n, Literal) for n in buffer.shape):
            raise ValueError(f"{buffer.name}: how much memory a function has must be known")
        self._declare(buffer)

    def _return(self, value: Expression | None) -> None:
        if self._function is None:
            raise ValueError("a program returns nothing")
        found, wanted = None if value is None else self._type(value), self._function.result
        if found != wanted:
            raise ValueError(f"{self._function.name} gives {wanted}, not {found}")

    def _call(self, call: NativeCall) -> None:
        types = tuple(map(self._type, call.arguments))
        signature = self._signatures.get(call.function)
        if signature is None and self._function is not None:
            raise ValueError(f"there is no function {call.function}")
        if signature is not None:
            self._agree(call, types, signature)
        for buffer in (*call.reads, *call.writes):
            self._known(buffer)
        if call.result is not None:
            self._let(call.result, call.result.type)

    def _agree(self, call: NativeCall, types: tuple[str, ...], signature: Signature) -> None:
        if types != signature.parameters:
            wanted = ", ".join(signature.parameters)
            raise ValueError(f"{call.function} takes ({wanted}), not ({', '.join(types)})")
        if call.result is not None and call.result.type != signature.result:
            raise ValueError(f"{call.function} gives {signature.result}")

    def _check(self, condition: Expression, values: tuple[Expression, ...]) -> None:
        self._expect(condition, "bool")
        if len(values) > _MOST_VALUES:
            raise ValueError(f"a check shows at most {_MOST_VALUES} values")
        for value in values:
            if KIND[self._type(value)] == "c":
                raise ValueError("a check shows no complex values")

    def _compound(self, statement: Compound) -> None:
        match statement:
            case For(index, extent, body):
                self._expect(extent, "i64")
                self._grain(statement)
                self._for(index, body, statement.parallel)
            case Repeat(before, condition, body):
                self._while(before, condition, body)
            case Choice(condition, then, otherwise):
                self._expect(condition, "bool")
                self.block(then)
                self.block(otherwise)
            case Together(sides, turns):
                for one in turns:
                    self._expect(one, "i64")
                self._together(sides)

    def _together(self, sides: tuple[Block, ...]) -> None:
        if self._function is not None:
            raise ValueError("only programs do several things together")
        if problem := why_not_together(sides):
            raise ValueError(problem)
        for side in sides:
            self.block(side)

    def _grain(self, loop: For) -> None:
        said = loop.grain is not None
        if said != (loop.parallel and self._function is not None):
            raise ValueError("a grain is what functions, and no programs, say of parallel loops")
        if loop.grain is not None:
            self._expect(loop.grain, "i64")
        if said and any(isinstance(one, Return) for one in every_statement(loop.body)):
            raise ValueError("a parallel loop is left at its end only")

    def _for(self, index: Local, body: Block, parallel: bool) -> None:
        variables, fixed = set(self._variables), set(self._fixed)
        if parallel:
            self._fixed |= {one for one in self._variables if one.mutable}
        self._let(index, "i64")
        self.block(body)
        self._leave(variables, self._buffers)
        self._fixed = fixed

    def _while(self, before: Block, condition: Expression, body: Block) -> None:
        """What `before` names, the condition and `body` may use."""
        statement, variables, buffers = self.current, set(self._variables), set(self._buffers)
        for one in before:
            self.current = one
            self._checked.clear()
            self._statement(one)
        self.current = statement
        self._expect(condition, "bool")
        self.block(body)
        self._leave(variables, buffers)

    # ---------------------------------------------------------------- names and types

    def _declare(self, buffer: Buffer) -> None:
        if buffer in self._buffers:
            raise ValueError(f"{buffer.name} is declared twice")
        if buffer.type not in KIND:
            raise ValueError(f"{buffer.name}: there is no type {buffer.type}")
        for size in buffer.shape:
            self._expect(size, "i64")
            if any(isinstance(part, Load) or _may_change(part) for part in every_part(size)):
                raise ValueError(f"{buffer.name}: its sizes must stay what they are")
        self._buffers.add(buffer)

    def _known(self, buffer: Buffer) -> None:
        if buffer not in self._buffers and buffer.space != "constant":
            raise ValueError(f"buffer {buffer.name} is not known here")

    def _access(self, buffer: Buffer, indices: tuple[Expression, ...]) -> None:
        self._known(buffer)
        if len(indices) not in (len(buffer.shape), 1):
            raise ValueError(f"{buffer.name} has {len(buffer.shape)} axes, not {len(indices)}")
        for index in indices:
            self._expect(index, "i64")

    def _expect(self, expression: Expression, wanted: str) -> None:
        if (found := self._type(expression)) != wanted:
            raise ValueError(f"{wanted} is wanted, not {found}")

    def _same(self, name: str, wanted: str, found: str) -> None:
        if wanted != found:
            raise ValueError(f"{name} is {wanted}, its value {found}")

    def _type(self, expression: Expression) -> str:
        """The type of an expression, after checking all of it (shared parts once a statement)."""
        if expression not in self._checked:
            self._examine(expression)
            self._checked.add(expression)
        return expression.type

    def _examine(self, expression: Expression) -> None:
        match expression:
            case Literal(value, type_):
                _check_constant(value, type_)
            case Local():
                if expression not in self._variables:
                    raise ValueError(f"{expression.name} is not known here")
            case Load(buffer, indices):
                self._access(buffer, indices)
            case Address(buffer, indices):
                self._known(buffer)
                if len(indices) > len(buffer.shape):
                    raise ValueError(f"{buffer.name} has {len(buffer.shape)} axes only")
                for index in indices:
                    self._expect(index, "i64")
            case Apply():
                self._apply(expression)

    def _apply(self, apply: Apply) -> None:
        types = [self._type(argument) for argument in apply.arguments]
        wanted = result_type(apply.function, types)
        if wanted is None:
            check_conversion(apply.function, types[0], apply.type)
        else:
            self._same(apply.function, apply.type, wanted)


def _returns(block: Block) -> bool:
    """Whether every way through a block ends in a `Return`."""
    match block[-1:]:
        case (Return(),):
            return True
        case (Choice(_, then, otherwise),):
            return _returns(then) and _returns(otherwise)
        case _:
            return False


def _may_change(part: Expression) -> bool:
    return isinstance(part, Local) and part.mutable


def _check_constant(value: object, type_: str) -> None:
    allowed: dict[NumberKind, tuple[type, ...]] = {
        "b": (bool,), "i": (int,), "u": (int,), "f": (int, float), "c": (int, float, complex),
        "p": (int,),
    }  # fmt: skip
    if type_ not in KIND:
        raise ValueError(f"there is no type {type_}")
    kind = KIND[type_]
    if not isinstance(value, allowed[kind]) or (isinstance(value, bool) and kind != "b"):
        raise ValueError(f"{value!r} is no {type_}")
