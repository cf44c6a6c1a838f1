"""Which operations native code runs for eager execution: asked by tests of what is quick."""

from __future__ import annotations

from typing import Any

import pytest

from tensormill.core import native_operations


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the operations that native code will have run, in order.

    It begins anew, and without devices, whatever ran before: an operation is compiled for so many
    dtypes, ranks and attributes, and no more.
    """
    from tensormill.compiler import eager_operations
    from tensormill.ops.dispatch.placements import installed

    names: list[str] = []
    run = eager_operations.Operations().run

    def noting(op: Any, operands: Any, attrs: dict[str, Any], axes: Any) -> Any:
        results = run(op, operands, attrs, axes)
        if results is not None:
            names.append(op.name)
        return results

    monkeypatch.setattr(native_operations, "_native", lambda: noting)
    monkeypatch.setattr(installed, "looks", False)
    return names


def end(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on all is done the slow way."""
    monkeypatch.setattr(native_operations, "_native", lambda: native_operations.nowhere)
