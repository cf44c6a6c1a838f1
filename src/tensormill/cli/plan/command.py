"""The command: its options, and the process that measures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ...core.extras import library
from ..run import leave
from .devices import CHIPS, Chip
from .report import excess_of, report
from .request import CannotPlan, PlanRequest, request_of

DOES_NOT_FIT: Final = 1


def plan(
    target: Annotated[
        str, typer.Argument(metavar="SCRIPT:FUNCTION", help="A file, and a tf.function in it.")
    ],
    mesh: Annotated[str, typer.Option(help="Its sizes, 64x8, or batch=64,model=8.")],
    device: Annotated[str, typer.Option(help=f"One of {', '.join(CHIPS)}.")] = "h100",
    shard: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=AXES", help="Axes of the mesh, as kernel=,model; repeatable."),
    ] = None,
    shape: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SIZES", help="Of an argument, as x=4096,784; repeatable."),
    ] = None,
    flops: Annotated[
        float | None, typer.Option(help="Operations in a second, of any dtype.")
    ] = None,
    memory: Annotated[float | None, typer.Option(help="Bytes of memory.")] = None,
    bandwidth: Annotated[float | None, typer.Option(help="Bytes in a second, of memory.")] = None,
    link: Annotated[
        float | None, typer.Option(help="Bytes in a second to a device of the same node.")
    ] = None,
    network: Annotated[
        float | None, typer.Option(help="Bytes in a second to other nodes, of each device.")
    ] = None,
) -> None:
    """Show what a step would cost on devices that are not here; 1 if it does not fit them."""
    try:
        request = request_of(target, mesh, shard or (), shape or ())
        chip = _chip(device, flops, memory, bandwidth, link, network)
        facts = _measured(request)
    except (CannotPlan, ImportError) as refusal:
        leave(str(refusal))
    for line in report(facts, request, device, chip):
        typer.echo(line)
    if excess_of(facts, chip) is not None:
        raise typer.Exit(DOES_NOT_FIT)


def _chip(
    device: str, flops: float | None, memory: float | None, bandwidth: float | None,
    link: float | None, network: float | None,
) -> Chip:  # fmt: skip
    known = CHIPS.get(device)
    if known is None:
        raise CannotPlan(f"there are no figures of {device!r}, only of {', '.join(CHIPS)}")
    said: dict[str, Any] = {
        "work": flops, "wide_work": flops, "memory": memory, "bandwidth": bandwidth, "link": link,
        "network": network,
    }  # fmt: skip
    if any(one is not None and one <= 0 for one in said.values()):
        raise CannotPlan("--flops, --memory, --bandwidth, --link and --network are more than 0")
    return known._replace(**{name: one for name, one in said.items() if one is not None})


def _measured(request: PlanRequest) -> Mapping[str, Any]:
    """What a process finds that has as many devices as the mesh.

    Raises:
        CannotPlan: the function can not be planned.
        ImportError: JAX is not installed.
        SystemExit: the script failed.
    """
    if find_spec("jax") is None:
        library("jax", "xla", "tensormill plan")  # which says how to get it
    if not Path(request.script).is_file():
        raise CannotPlan(f"there is no file {request.script!r}")
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = [sys.executable, "-m", "tensormill.cli.plan.measuring", request.text()]
        ended = subprocess.run([*command, str(result)], env=_environment(request.devices))
        if not result.exists():
            raise SystemExit(ended.returncode if ended.returncode > 0 else 1)
        facts = json.loads(result.read_text())
    if "refused" in facts:
        raise CannotPlan(facts["refused"])
    return facts


def _environment(devices: int) -> dict[str, str]:
    """With host devices, compiled for quickly: what a program does, does not depend on it.

    A library for CPUs takes several convolutions and products at once, and shows nothing of what
    lies in between: it is not asked.
    """
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices}"
    flags += " --xla_cpu_experimental_ynn_fusion_type="
    return os.environ | {
        "XLA_FLAGS": flags.strip(),
        "JAX_PLATFORMS": "cpu",
        "JAX_ENABLE_COMPILATION_CACHE": "0",
    }
