"""From a code object to the code object of its converted form, once for each.

The converted tree keeps the user's lines and columns and is compiled under the user's file name,
so tracebacks, `pdb` and warnings point at the user's source. No module is made and nothing is
executed: the function's code object is taken out of what the compiler returns.
"""

from __future__ import annotations
import __future__

import ast
import sys
import warnings
from collections.abc import Collection, Generator
from types import CellType, CodeType, FunctionType
from typing import Any, cast

from ..core.process.locks import ForkedLock
from ..core.process.with_blocks import block
from .convert.context import RUNTIME, Conversion
from .convert.expressions import convert_lambda
from .convert.order import conversion_of, convert_definition
from .errors import ConversionError
from .parse import FunctionNode, Parsed, parse
from .template import placed
from .verbosity import log, verbosity
from .weak_identity import WeakIdentityMap

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
# What Python compiled from source, some thousand levels at most, we can walk and compile again.
_DEEPEST = 10_000
_IS_FUNCTION = 0x1  # CO_OPTIMIZED: set for functions, not for the bodies of classes

_lock = ForkedLock()
_conversions: WeakIdentityMap[CodeType, CodeType | ConversionError] = WeakIdentityMap()
# The code objects that conversions made, those of inner functions included.
_made: WeakIdentityMap[CodeType, None] = WeakIdentityMap()


def is_converted(code: CodeType) -> bool:
    return code in _made


def converted_code(
    code: CodeType, scope: dict[str, Any] | None = None
) -> CodeType | ConversionError:
    """The converted form of a function's code, or the reason why there is none.

    `scope` are the function's globals, which may say where its source is.
    """
    known = _conversions.get(code)
    if known is not None:
        return known
    with _lock():
        known = _conversions.get(code)
        if known is None:
            known = _convert_or_explain(code, scope)
            _conversions.set(code, known)
    return known


def instantiate(original: FunctionType, code: CodeType, runtime: Any) -> FunctionType:
    """A function like the original (same closure, globals, defaults) with converted code."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    cells[RUNTIME] = CellType(runtime)
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(
        code, original.__globals__, original.__name__, original.__defaults__, closure
    )
    made.__kwdefaults__ = original.__kwdefaults__
    made.__doc__, made.__module__ = original.__doc__, original.__module__
    made.__qualname__ = original.__qualname__
    # From 3.14 on annotations are evaluated when somebody looks, which may be never.
    is_lazy = getattr(original, "__annotate__", None) is not None
    annotations = "__annotate__" if is_lazy else "__annotations__"
    setattr(made, annotations, getattr(original, annotations))
    if sys.version_info >= (3, 12):
        made.__type_params__ = original.__type_params__
    return made


def converted_source(code: CodeType, scope: dict[str, Any] | None = None) -> str:
    """The converted form as text, with names as TensorFlow gives them."""
    with _deep_recursion():
        parsed = _converted_tree(code, scope, conversion_of(code), keep_signature=True)
    if isinstance(parsed.node, ast.Lambda):
        return f"tf__lam = {ast.unparse(parsed.node)}\n"
    parsed.node.name = f"tf__{parsed.node.name}"
    return ast.unparse(parsed.node) + "\n"


# --- the steps ---


def _convert_or_explain(code: CodeType, scope: dict[str, Any] | None) -> CodeType | ConversionError:
    try:
        with _deep_recursion():
            return _convert(code, scope)
    except ConversionError as error:
        # Kept for the life of the function: without the frames that led here.
        return error.with_traceback(None)
    except RecursionError:
        return ConversionError(f"the code of {code.co_qualname} is nested too deeply")
    except (SyntaxError, AssertionError) as error:
        # The compiler or a converter did not expect what it got: say so, and run the original.
        return ConversionError(f"AutoGraph itself failed, {type(error).__name__}: {error}")


@block
def _deep_recursion() -> Generator[None]:
    """Room for long `elif` chains and sums: each link is one level of the tree."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, _DEEPEST))
        yield
    finally:
        sys.setrecursionlimit(limit)


def _convert(code: CodeType, scope: dict[str, Any] | None) -> CodeType:
    conversion = conversion_of(code)
    parsed = _converted_tree(code, scope, conversion, keep_signature=False)
    if verbosity() >= 10:
        log(10, "AutoGraph converted %s:\n\n%s", code.co_qualname, ast.unparse(parsed.node))
    compiled = _compile(parsed, code, conversion.class_name)
    made = _renamed(compiled, code.co_name, code.co_qualname, set(conversion.bodies.values()))
    _register(made)
    return made


def _converted_tree(
    code: CodeType, scope: dict[str, Any] | None, conversion: Conversion, *, keep_signature: bool
) -> Parsed:
    with warnings.catch_warnings():
        # Whoever imported the file has seen what the compiler has to say about it.
        warnings.simplefilter("ignore")
        parsed = parse(code, scope)
    if not keep_signature:
        _strip_signature(parsed.node)
    if isinstance(parsed.node, ast.Lambda):
        convert_lambda(parsed.node, conversion)
    else:
        parsed.node.decorator_list = []
        convert_definition(parsed.node, conversion)
    return parsed


def _strip_signature(node: FunctionNode) -> None:
    """Drop what belongs to the `def` statement: the original function has been made already."""
    arguments = node.args
    arguments.defaults = []
    arguments.kw_defaults = [None for _ in arguments.kwonlyargs]
    for argument in (
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        *(extra for extra in (arguments.vararg, arguments.kwarg) if extra),
    ):
        argument.annotation = None
    if isinstance(node, ast.FunctionDef):
        node.returns = None
        # From 3.12 on; the body finds them in its closure.
        cast(Any, node).type_params = []


def _compile(parsed: Parsed, code: CodeType, class_name: str | None) -> CodeType:
    """Compile the function inside of a function that owns its free variables."""
    node, name = parsed.node, code.co_name
    if isinstance(node, ast.FunctionDef):
        # Under its own name, a function that calls itself by a global name would find a local one.
        name = node.name = "<function>"
    body: list[ast.stmt] = [node if isinstance(node, ast.stmt) else placed(ast.Expr(node), node)]
    if class_name:
        body = _in_class(class_name, body, code.co_freevars)
    owned = [placed(ast.arg(free), node) for free in (RUNTIME, *code.co_freevars)]
    arguments = ast.arguments([], owned, None, [], [], None, [])
    module = ast.Module([placed(ast.FunctionDef("scope", arguments, body, []), node)], [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        flags = code.co_flags & _FUTURES
        made = compile(module, parsed.file, "exec", flags, dont_inherit=True)
    for part in ["scope", class_name, name] if class_name else ["scope", name]:
        made = _inner_code(made, part)
    return made


def _in_class(name: str, body: list[ast.stmt], free: Collection[str]) -> list[ast.stmt]:
    """The class around a method: the compiler spells private names with it."""
    definition = placed(ast.ClassDef(name, [], [], body, []), body[0])
    # The class's name must not become a variable of the scope, unless it was one.
    return [definition] if name in free else [placed(ast.Global([name]), body[0]), definition]


def _inner_code(code: CodeType, name: str) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


def _renamed(code: CodeType, name: str, qualified: str, bodies: set[str]) -> CodeType:
    """The code with names as if nothing had been put around or inside of the function.

    A frame of `if_body` is, to its reader, a frame of the function that the user wrote.
    """
    separator = ".<locals>." if code.co_flags & _IS_FUNCTION else "."
    constants: list[Any] = []
    for constant in code.co_consts:
        if constant == code.co_qualname:  # what a class body stores as its __qualname__
            constant = qualified
        elif isinstance(constant, CodeType) and constant.co_name in bodies:
            constant = _renamed(constant, name, qualified, bodies)
        elif isinstance(constant, CodeType):
            inner = f"{qualified}{separator}{constant.co_name}"
            constant = _renamed(constant, constant.co_name, inner, bodies)
        constants.append(constant)
    return code.replace(co_name=name, co_qualname=qualified, co_consts=tuple(constants))


def _register(code: CodeType) -> None:
    _made.set(code, None)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _register(constant)
