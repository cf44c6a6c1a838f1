"""What to write instead, where Python asked for a value that a tensor of a trace does not have.

Python's own messages ("list indices must be integers …, not SymbolicTensor") say neither which
expression nor which variable it is about. Converted code has the user's columns, so both are known.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import re
import textwrap
from itertools import islice
from types import CodeType, FrameType, TracebackType

from ..core.source import is_of_python, is_ours
from ..core.values import TensorLike
from .conversion import is_converted

_OF_NONE = re.compile(r"operand.*NoneType|NoneType.*as an integer|value \(None\)")
_OF_GRADIENTS = "a gradient is None where the tape did not record how the target depends on it"
_OF_SIZES = (
    "a size (x.shape[0]) is None where tracing does not know it, but tf.shape(x)[0] is a tensor"
)
# What a message says, and what to write instead.
_INSTEAD = (
    (_OF_NONE.pattern, f"{_OF_GRADIENTS}, and {_OF_SIZES}"),
    (
        r"list indices|tuple indices",
        "tf.gather(values, index) takes elements by a tensor, and tf.switch_case(index, functions) "
        "calls one of several functions",
    ),
    (
        r"PathLike",
        "tf.io.read_file and tf.strings.join take tensors, and tf.py_function hands one to Python",
    ),
    (r"slice indices", "tf.convert_to_tensor(values)[a:b] takes tensors"),
    (r"string indices", "tf.strings.substr takes tensors"),
    (r"unhashable", "sets and dicts want Python values; `x in [1, 2]` and tf.gather take tensors"),
    (r"expected str instance|concatenate str", "tf.strings.join and tf.strings.as_string do it"),
    (
        r"sequence of integers or a single integer",
        "NumPy works while the function is traced; functions of tf, like tf.zeros, when it runs",
    ),
    (
        r"as an integer|real number|must be a string or a number|cannot convert",
        "use the function of tf or tf.math that does this, or tf.py_function",
    ),
    (
        r"Iterating over",
        "loop over it in a `for` statement, or take it apart: a, b = tf.unstack(x)",
    ),
    (
        r"as a Python `bool`",
        "decide in an `if`, `while` or `a if c else b` of a converted function, or with tf.where",
    ),
    (
        r"no attribute '(numpy|item|tolist)'",
        "it has a value when the graph runs, so use it as it is; tf.print shows it, and "
        "tf.py_function hands it to Python",
    ),
    (
        r"to EagerTensor of dtype",
        "a tensor keeps its dtype; begin with one of the dtype that fits (0.0, not 0), or use "
        "tf.cast",
    ),
    (
        r"array element with a sequence",
        "tf.tensor_scatter_nd_update puts a tensor into an array; a tf.Variable can be changed",
    ),
    (
        r"unsupported format string",
        "tf.strings.as_string(x, precision=2) formats it, and tf.print shows it",
    ),
)
_ABOUT_TENSORS = re.compile(
    r"[Ss]ymbolic|<tf\.Tensor '|Tensor is unhashable|slice indices|EagerTensor of dtype"
    rf"|array element with|{_OF_NONE.pattern}"
)
_NOT_CONVERTED = re.compile(r" AutoGraph converts .*", re.DOTALL)


def with_advice(error: Exception, text: str) -> str:
    """The text of an exception that left converted code, and what to do if it is about a tensor."""
    kinds = (TypeError, AttributeError, ValueError)
    instead = _instead(text) if isinstance(error, kinds) else None
    entry = _innermost(error.__traceback__) if instead is not None else None
    if instead is None or entry is None:
        return text
    frame = entry.tb_frame
    reason = _why_as_written(frame.f_code)
    if reason is None:
        return text
    line = linecache.getline(frame.f_code.co_filename, entry.tb_lineno).strip()
    expression = _expression(frame.f_code, entry.tb_lasti) or line
    kind = type(None) if _OF_NONE.search(text) else TensorLike
    tensors = _named(kind, expression, frame)
    if not tensors and (tensors := _named(kind, line, frame)):
        expression = line
    if line.startswith("case ") and "`bool`" in text:
        expression = line
        instead = "`case` compares while the function is traced; `if x == …:` when it runs"
    elif not tensors and not _speaks_of_it(text, kind, expression):
        return text
    if kind is type(None) and ".shape" in expression:
        instead = _OF_SIZES
    elif kind is type(None) and ".gradient(" in expression:
        instead = _OF_GRADIENTS
    said = _NOT_CONVERTED.sub("", text).rstrip(".")
    return f"{said}.\nIn `{expression}`{tensors}: {instead}{reason}"


def _speaks_of_it(text: str, kind: type, expression: str) -> bool:
    """Whether a part of the expression, which is no variable, is a tensor or None for certain."""
    if kind is type(None):
        return ".shape" in expression or ".gradient(" in expression
    return "ymbolic" in text or "<tf.Tensor '" in text


def _why_as_written(code: CodeType) -> str | None:
    """What to say of a frame that is not converted: nothing of one that is, None if not known."""
    if code.co_flags & inspect.CO_GENERATOR and code.co_name != "<genexpr>":
        return "; generators run as written, so return a list instead of `yield`"
    if is_converted(code):
        return ""
    if code.co_name.startswith("__") and code.co_name.endswith("__"):
        return f"; Python itself calls {code.co_name}, so it runs as written: use another method"
    return None


def _instead(text: str) -> str | None:
    if not _ABOUT_TENSORS.search(text):
        return None
    if re.search(r"AutoGraph did not convert|depends on a tensor", text):
        return None  # it says what to do
    return next((advice for says, advice in _INSTEAD if re.search(says, text)), None)


def _innermost(traceback: TracebackType | None) -> TracebackType | None:
    """The user's frame that is nearest to the error. Extension modules name files that are not."""
    found = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        is_of_user = not _is_installed(code.co_filename) and os.path.exists(code.co_filename)
        if is_of_user or is_converted(code):
            found = traceback
        traceback = traceback.tb_next
    return found


def _is_installed(file: str) -> bool:
    """Whether it is of this library, another one, or Python's own."""
    return is_ours(file) or is_of_python(file) or "site-packages" in file


def _expression(code: CodeType, instruction: int) -> str | None:
    """The text that an instruction was compiled from, if it stands on one line."""
    line, last, start, end = next(islice(code.co_positions(), instruction // 2, None))
    if line is None or line != last or start is None or end is None:
        return None
    # Columns count bytes.
    text = linecache.getline(code.co_filename, line).encode()
    return text[start:end].decode(errors="replace").strip() or None


def _parsed(expression: str) -> ast.Module:
    """An expression, or a part of an f-string: `{x:.2f}` has columns of its own from 3.12 on."""
    texts = [textwrap.dedent(expression)]
    if expression.startswith("{"):
        texts.append(f"f{expression!r}")
    for text in texts:
        try:
            return ast.parse(text)
        except SyntaxError:
            continue
    return ast.Module([], [])  # the head of a statement


def _named(kind: type, expression: str, frame: FrameType) -> str:
    """Which variables of an expression are tensors, or None."""
    names = {node.id: None for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name)}
    known = {**frame.f_globals, **frame.f_locals}
    found = [f"`{name}`" for name in names if name in known and isinstance(known[name], kind)]
    if not found:
        return ""
    one, several = ("is None", "are None") if kind is type(None) else ("is a tensor", "are tensors")
    return f", {' and '.join(found)} {one if len(found) == 1 else several}"
