"""Which operations raise in two of the rules that read their operands, as their source has it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3] / "src" / "tensormill" / "ops"
RULES = ("infer", "eager", "lower")
CHECKS = re.compile(r"_?(check|demand|refuse|require)")  # how functions are called that raise

Functions = dict[str, ast.FunctionDef]


def raising_twice() -> Iterator[str]:
    """The names of classes."""
    for path in sorted(ROOT.rglob("*.py")):
        module = ast.parse(path.read_text())
        functions = _functions(module.body)
        for node in module.body:
            if isinstance(node, ast.ClassDef):
                methods = _functions(node.body)
                rules = [methods[name] for name in RULES if name in methods]
                if sum(_raises(rule, functions, methods, set()) for rule in rules) > 1:
                    yield node.name


def _functions(body: list[ast.stmt]) -> Functions:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def _raises(
    rule: ast.FunctionDef, functions: Functions, methods: Functions, seen: set[str]
) -> bool:
    """Whether a rule or what it calls in this file raises, or emits a check."""
    for node in ast.walk(rule):
        if isinstance(node, ast.Raise) and node.exc is not None and not _is_about_the_machine(node):
            return True
        match node:
            case ast.Call(func=ast.Attribute(attr="check" | "check_all")):
                return True
            case ast.Call(func=ast.Name(id=name)):
                called = functions.get(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                called = methods.get(name)
            case ast.Call(func=ast.Attribute(attr=name)):
                called = None
            case _:
                continue
        if called is None and CHECKS.match(name):
            return True
        if called is not None and name not in seen:
            seen.add(name)
            if _raises(called, functions, methods, seen):
                return True
    return False


def _is_about_the_machine(node: ast.Raise) -> bool:
    """Whether it says that there is no native code for this, not that the operands are wrong."""
    return "NotStatic" in ast.dump(node)
