"""What was measured: `measured.json`."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tensormill.compiler.machine.jit import host

FILE: Final = Path(__file__).with_name("measured.json")


def machine() -> dict[str, str]:
    """What eager results depend on, and how wide the processor's vectors are."""
    names = ("numpy", "scipy", "mpmath", "llvmlite")
    wide = next((one for one in ("avx512f", "avx2", "neon") if host().has(one)), "none of these")
    return {name: version(name) for name in names} | {"processor": wide}


def measured() -> dict[str, Any]:
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def keep(kind: str, name: str, figures: Any) -> None:
    """Put figures where the earlier ones of this name were."""
    whole = measured()
    whole[kind] = dict(sorted((whole.get(kind, {}) | {name: figures}).items()))
    FILE.write_text(_written(whole, 4) + "\n")


def _written(value: Any, depth: int, margin: str = "") -> str:
    """JSON with a line for each place."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    inner = margin + " "
    lines = [f'{inner}"{key}": {_written(one, depth - 1, inner)}' for key, one in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
