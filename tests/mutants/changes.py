"""The changes: a comparison, a connective, a number or a sign that becomes another."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
}


@dataclass(frozen=True)
class Change:
    """One expression of a file, and what it becomes."""

    file: Path
    line: int
    begin: int  # where it begins and ends in the file's bytes
    end: int
    before: str
    after: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.begin] + self.after.encode() + source[self.end :]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} `{_short(self.before)}` -> `{_short(self.after)}`"


def changes_of(file: Path, root: Path) -> list[Change]:
    """Every change of a file that this module knows."""
    source = (root / file).read_bytes()
    starts = _line_starts(source)
    found: list[Change] = []
    for node in _executed(ast.parse(source)):
        for after in _others(node):
            begin = starts[node.lineno - 1] + node.col_offset
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            end = starts[node.end_lineno - 1] + node.end_col_offset
            before = " ".join(source[begin:end].decode().split())
            found.append(Change(file, node.lineno, begin, end, before, after))
    return found


def chosen(count: int, seed: int, root: Path, under: str = "src") -> list[Change]:
    """`count` changes of the library, or of one of its folders, at random."""
    files = sorted(one.relative_to(root) for one in (root / under).rglob("*.py"))
    every = [change for file in files for change in changes_of(file, root)]
    return random.Random(seed).sample(every, min(count, len(every)))


def _executed(tree: ast.Module) -> Iterator[ast.expr]:
    """Expressions that run: annotations and what only a type checker reads are left out."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.expr):
            yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            parts = value if isinstance(value, list) else [value]
            pending += [part for part in parts if isinstance(part, ast.AST)]


def _others(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in COMPARISONS:
            for other in COMPARISONS[type(operator)]:
                yield _in_brackets(ast.Compare(left, [other()], [right]))
        case ast.BoolOp(operator, values):
            yield _in_brackets(ast.BoolOp(_other_connective(operator), values))
        case ast.UnaryOp(ast.Not(), operand):
            yield _in_brackets(ast.Call(ast.Name("bool"), [operand], []))
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            if not any(isinstance(one, (ast.JoinedStr, ast.List)) for one in (left, right)):
                yield _in_brackets(ast.BinOp(left, ARITHMETIC[type(operator)](), right))
        case ast.Constant(bool() as value):
            yield repr(not value)
        case ast.Constant(int() as value):
            yield _in_brackets(ast.Constant(value + 1))
        case _:
            return


def _other_connective(operator: ast.boolop) -> ast.boolop:
    return ast.Or() if isinstance(operator, ast.And) else ast.And()


def _in_brackets(node: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(ast.Expression(node)))})"


def _line_starts(source: bytes) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _short(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:87]}..."
