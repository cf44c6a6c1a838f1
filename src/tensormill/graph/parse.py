"""Reading graphs from the text that `text.py` prints."""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias, cast

import numpy as np

from ..core.dtypes import BY_SHORT, DType
from ..core.shapes import TensorShape
from ..core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec, ValueSpec
from ..core.tokens import Tokens
from ..ops.absent import absence
from ..ops.constant import Const
from ..ops.op import REGISTRY, REQUIRED, Op
from .ir import Application, Graph, Value

_TOKENS: Final = re.compile(
    r"""
      (?P<note>\#[^\n]*|\n[ ]*\^[^\n]*)
    | (?P<line>\n\s*)
    | (?P<data>data"[A-Za-z0-9+/=]*")
    | (?P<string>b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*")
    | (?P<number>-?(?:inf|nan|\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?)(?![A-Za-z_0-9./]))
    | (?P<name>[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*(?::\d+)?|_[A-Za-z0-9_]*)
    | (?P<mark>->|\.\.\.|[()\[\]<>=:,@?])
    """,
    re.VERBOSE,
)


TokenKind: TypeAlias = Literal["line", "data", "string", "number", "name", "mark"]


class GraphSyntaxError(ValueError):
    """Text that is no graph; the message shows the line."""


def parse_graph(text: str) -> Graph:
    """The first graph of the text, with the graphs below it in its attributes.

    Raises:
        GraphSyntaxError: the text is no graph, or names something that it does not define.
    """
    headings = _GraphReader(text).read()
    return _Linker(headings).graph(next(iter(headings)))


def parse_spec(text: str) -> ValueSpec:
    """A spec as text: 'f32[?, 8]', 'resource<f32[]>', 'list<f32[...]>'.

    Raises:
        GraphSyntaxError: it is none.
    """
    return _GraphReader(text).spec()


@dataclass
class _NamedReference:
    """`@name` in an attribute."""

    name: str


@dataclass
class _Draft:
    """A graph whose attributes still name other graphs."""

    name: str
    parameters: list[Value]
    captures: list[Value]
    operations: list[tuple[Application, list[str]]] = field(default_factory=list)
    returns: list[Value] = field(default_factory=list)


class _Linker:
    """Replaces references by graphs, innermost first."""

    def __init__(self, drafts: dict[str, _Draft]) -> None:
        self._drafts = drafts
        self._done: dict[str, Graph] = {}

    def graph(self, name: str) -> Graph:
        if name not in self._done:
            if name not in self._drafts:
                raise GraphSyntaxError(f"no graph is called '{name}'")
            self._done[name] = self._linked(self._drafts[name])
        return self._done[name]

    def _linked(self, draft: _Draft) -> Graph:
        operations: dict[str, Application] = {}
        for operation, after in draft.operations:
            attrs = {name: self._attr(value) for name, value in operation.attrs.items()}
            before = tuple(operations[one] for one in after)
            operations[operation.name] = replace(operation, attrs=attrs, after=before)
        return Graph(
            draft.name,
            tuple(draft.parameters),
            tuple(draft.captures),
            tuple(operations.values()),
            tuple(draft.returns),
        )

    def _attr(self, value: Any) -> Any:
        if isinstance(value, _NamedReference):
            return self.graph(value.name)
        if isinstance(value, (tuple, list)):
            linked = [self._attr(one) for one in cast(Sequence[Any], value)]
            return tuple(linked) if isinstance(value, tuple) else linked
        return value


class _GraphReader:
    """A recursive-descent reader; one method for each rule of the grammar."""

    def __init__(self, text: str) -> None:
        self._tokens = Tokens[TokenKind](text, _TOKENS, GraphSyntaxError)
        self._values: dict[str, Value] = {}

    def _name(self) -> str:
        if self._tokens.token().kind not in ("name", "number"):
            raise self._tokens.wrong("expected a name")
        return self._tokens.take()

    # ---- grammar
    def read(self) -> dict[str, _Draft]:
        drafts: dict[str, _Draft] = {}
        while self._tokens.token().kind == "line":
            self._tokens.take()
        while self._tokens.token().kind != "end":
            draft = self._graph()
            drafts[draft.name] = draft
        if not drafts:
            raise self._tokens.wrong("expected 'graph'")
        return drafts

    def _graph(self) -> _Draft:
        self._values = {}
        self._tokens.take("graph")
        name = self._name()
        self._tokens.take("(")
        parameters = self._declarations(")")
        captures = self._declarations("]") if self._tokens.accept("[") else []
        draft = _Draft(name, parameters, captures)
        self._tokens.take("->")
        while not self._tokens.accept(":"):
            self._tokens.take()
        self._line()
        while not self._tokens.accept("return"):
            draft.operations.append(self._operation())
            self._line()
        while self._tokens.token().kind not in ("line", "end"):
            draft.returns.append(self._use())
            self._tokens.accept(",")
        self._line()
        return draft

    def _line(self) -> None:
        if self._tokens.token().kind == "end":
            return
        if self._tokens.token().kind != "line":
            raise self._tokens.wrong("expected the end of the line")
        self._tokens.take()

    def _declarations(self, end: str) -> list[Value]:
        found: list[Value] = []
        while not self._tokens.accept(end):
            found.append(self._declaration())
            self._tokens.accept(",")
        return found

    def _declaration(self) -> Value:
        name = self._name()
        self._tokens.take(":")
        value = Value(name, self.spec())
        if name in self._values:
            raise self._tokens.wrong(f"'{name}' is defined twice")
        self._values[name] = value
        return value

    def _use(self) -> Value:
        name = self._name()
        if name not in self._values:
            raise self._tokens.wrong(f"'{name}' is not defined before", -1)
        return self._values[name]

    def _operation(self) -> tuple[Application, list[str]]:
        results: list[Value] = []
        if self._tokens.peek(1) == ":":
            results.append(self._declaration())
            while self._tokens.accept(","):
                results.append(self._declaration())
            self._tokens.take("=")
        op = self._op()
        self._tokens.take("(")
        operands, counts = self._operands(op)
        attrs = self._attrs(op, results)
        name = self._quoted() if self._tokens.accept("as") else results[0].name
        after = self._names() if self._tokens.accept("after") else []
        device = self._quoted() if self._tokens.accept("on") else ""
        kind = ""
        if self._tokens.accept("differentiated"):
            self._tokens.take("as")
            kind = self._quoted()
        made = Application(
            op, name, operands, counts, attrs, tuple(results), device=device, gradient_type=kind
        )
        return made, after

    def _op(self) -> type[Op]:
        name = self._name()
        if name not in REGISTRY:
            raise self._tokens.wrong(f"there is no operation '{name}'{absence(name)}", -1)
        return REGISTRY[name]

    def _operands(self, op: type[Op]) -> tuple[tuple[Value, ...], tuple[int | None, ...]]:
        flat: list[Value] = []
        counts: list[int | None] = []
        for input_field in op.inputs:
            if not input_field.listed:
                flat.append(self._use())
                counts.append(None)
            else:
                self._tokens.take("[")
                before = len(flat)
                while not self._tokens.accept("]"):
                    flat.append(self._use())
                    self._tokens.accept(",")
                counts.append(len(flat) - before)
            self._tokens.accept(",")
        return tuple(flat), tuple(counts)

    def _attrs(self, op: type[Op], results: list[Value]) -> dict[str, Any]:
        given: dict[str, Any] = {}
        while not self._tokens.accept(")"):
            name = self._name()
            self._tokens.take("=")
            given[name] = self._attr()
            self._tokens.accept(",")
        if op is Const:
            spec = results[0].spec
            given = {"value": _array(given["value"], spec), "dtype": spec.dtype}
        attrs = {one.name: given.pop(one.name, one.default) for one in op.attrs}
        missing = [name for name, value in attrs.items() if value is REQUIRED]
        if missing or given:
            raise self._tokens.wrong(
                f"{op.name}: attributes missing {missing}, unknown {list(given)}"
            )
        return attrs

    def _quoted(self) -> str:
        return str(ast.literal_eval(self._tokens.take()))

    def _names(self) -> list[str]:
        found = [self._quoted()]
        while self._tokens.accept(","):
            found.append(self._quoted())
        return found

    # ---- attributes and specs
    def _attr(self) -> Any:
        token = self._tokens.token()
        match token.kind:
            case "string":
                return ast.literal_eval(self._tokens.take())
            case "number":
                return _number(self._tokens.take())
            case "data":
                return base64.b64decode(self._tokens.take()[len('data"') : -1])
            case "name" | "mark" | "line" | "end":
                return self._composed_attr()

    def _composed_attr(self) -> Any:
        token = self._tokens.token()
        if self._tokens.accept("@"):
            return _NamedReference(self._name())
        if token.text in ("(", "["):
            return self._sequence(self._tokens.take())
        if token.text == "<":
            raise self._tokens.wrong("an attribute that is an object of Python cannot be read back")
        return self._word(self._name())

    def _sequence(self, left: str) -> Any:
        end = ")" if left == "(" else "]"
        items: list[Any] = []
        while not self._tokens.accept(end):
            items.append(self._attr())
            self._tokens.accept(",")
        return tuple(items) if left == "(" else items

    def _word(self, word: str) -> Any:
        if word in _WORDS:
            return _WORDS[word]
        if word == "shape":
            return self._shape()
        if word == "complex":
            return complex(*self._attr())
        if word == "array":
            spec = self.spec()
            return _array(self._attr(), spec)
        dtype = BY_SHORT.get(word)
        if dtype is not None and self._tokens.peek() != "[" and self._tokens.peek() != "<":
            return dtype
        self._tokens.at -= 1
        return self.spec()

    def spec(self) -> ValueSpec:
        word = self._name()
        if word in ("resource", "frozen", "list") and self._tokens.accept("<"):
            inner = self._tensor_spec(self._name())
            self._tokens.take(">")
            return ListSpec(inner) if word == "list" else ResourceSpec(inner, word == "resource")
        if word in ("object", "value") and self._tokens.accept("<"):
            return self._object_spec(word == "value")
        return self._tensor_spec(word)

    def _object_spec(self, is_value: bool) -> ObjectSpec:
        kind = self._name()
        self._tokens.take("(")
        elements: list[ValueSpec] = []
        while not self._tokens.accept(")"):
            elements.append(self.spec())
            self._tokens.accept(",")
        self._tokens.take(">")
        sizes = self._shape().as_list() if self._tokens.peek() == "[" else ()
        return ObjectSpec(kind, tuple(elements), is_value, tuple(sizes))

    def _tensor_spec(self, word: str) -> TensorSpec:
        dtype: DType | None = BY_SHORT.get(word)
        if dtype is None:
            raise self._tokens.wrong("expected a dtype", -1)
        return TensorSpec(self._shape(), dtype)

    def _shape(self) -> TensorShape:
        self._tokens.take("[")
        if self._tokens.accept("..."):
            self._tokens.take("]")
            return TensorShape(None)
        dims: list[int | None] = []
        while not self._tokens.accept("]"):
            dims.append(None if self._tokens.accept("?") else int(self._name()))
            self._tokens.accept(",")
        return TensorShape(dims)


_WORDS: Final = {"True": True, "False": False, "None": None}


def _number(text: str) -> Any:
    has_point = any(mark in text for mark in (".", "e", "n"))  # the n of inf and nan
    return float(text) if has_point else int(text)


def _array(value: Any, spec: ValueSpec) -> np.ndarray[Any, Any]:
    dims = spec.shape.entries
    dtype = spec.dtype.storage
    shape = tuple(size or 0 for size in dims or ())
    if isinstance(value, bytes) and spec.dtype.family != "string":
        return np.frombuffer(value, dtype).reshape(shape).copy()
    if spec.dtype.family == "string":
        return _string_array(value, shape)
    return np.asarray(value).astype(dtype).reshape(shape)


def _string_array(value: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    array = np.empty(shape, object)
    flat = [value] if isinstance(value, bytes) else _flatten(value)
    array.reshape(-1)[:] = flat
    return array


def _flatten(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [leaf for one in cast(list[Any], value) for leaf in _flatten(one)]
    return [value]
