"""`tensormill doctor`: what this installation consists of, and whether anything is missing."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from rich.filesize import decimal
from rich.markup import escape
from rich.table import Table

import tensormill

from ..compiler.machine.cache import CodeCache, UnsafeDirectoryError
from ..compiler.machine.jit import binding, host
from ..config import settings
from .console import console

# Names of distributions, as pip knows them.
NEEDED = (
    "numpy", "ml-dtypes", "llvmlite", "scipy-openblas32", "scipy", "protobuf", "google-crc32c",
    "google-re2", "typer", "rich",
)  # fmt: skip
EXTRAS = {
    "keras": "keras",
    "xla": "jax",
    "tensorboard": "tensorboard",
    "plot": "matplotlib",
    "image": "simplejpeg",
    "testing": "absl",
}

# The vector instructions that decide how wide generated loops are.
NOTABLE_FEATURES = ("sse4.2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bf16", "neon", "sve")


@dataclass(frozen=True)
class ReportRow:
    """One row of the report."""

    name: str
    value: str
    well: bool = True


def report() -> bool:
    """Print versions, processor, BLAS, cache and extras; return whether all is well."""
    sections = {
        "versions": list(versions()),
        "processor": list(processor()),
        "matrix products": list(blas()),
        "disk cache": list(disk_cache()),
        "extras": list(extras()),
    }
    console().print(table(sections))
    return all(fact.well for facts in sections.values() for fact in facts)


def versions() -> Iterator[ReportRow]:
    yield ReportRow("tensormill", tensormill.__version__)
    yield ReportRow("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    yield ReportRow("system", platform.platform())
    for distribution in NEEDED:
        found = installed(distribution)
        yield ReportRow(distribution, found or "missing", well=found is not None)


def processor() -> Iterator[ReportRow]:
    yield ReportRow("model", model_name())
    yield ReportRow("cores", f"{usable_cores()} usable, {settings.threads} used by native loops")
    if installed("llvmlite") is None:
        return
    target = host()
    notable = [name for name in NOTABLE_FEATURES if target.has(name)]
    yield ReportRow("LLVM", ".".join(str(part) for part in binding().llvm_version_info))
    yield ReportRow("LLVM's target", f"{target.cpu}, {target.triple}")
    yield ReportRow("vector features", " ".join(notable) or "none of note")


def model_name() -> str:
    """Return the processor's marketing name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def blas() -> Iterator[ReportRow]:
    if installed("scipy-openblas32") is None:
        yield ReportRow("library", "missing: pip install scipy-openblas32", well=False)
        return
    import scipy_openblas32

    yield ReportRow("library", str(Path(scipy_openblas32.get_lib_dir()) / library_file()))
    yield ReportRow("it reports", scipy_openblas32.get_openblas_config())


def library_file() -> str:
    import scipy_openblas32

    suffix = {"Darwin": "dylib", "Windows": "dll"}.get(platform.system(), "so")
    return f"lib{scipy_openblas32.get_library()}.{suffix}"


def disk_cache() -> Iterator[ReportRow]:
    if settings.cache_directory is None:
        yield ReportRow("place", "none: this user has no home; TENSORMILL_CACHE_DIR names one")
        return
    cache = CodeCache(settings.cache_directory, settings.cache_limit_bytes)
    yield ReportRow("place", str(cache.directory))
    yield ReportRow(
        "size", f"{decimal(cache.size_bytes())} of {decimal(cache.limit_bytes)} at most"
    )
    if not settings.cache_enabled:
        yield ReportRow("state", "off (TENSORMILL_CACHE=0)")
        return
    try:
        cache.load("whether this directory may be read at all")
    except UnsafeDirectoryError as reason:
        yield ReportRow("state", str(reason), well=False)
    else:
        yield ReportRow("state", "on")


def extras() -> Iterator[ReportRow]:
    for extra, distribution in EXTRAS.items():
        found = installed(distribution)
        absent = f"not installed: pip install 'tensormill[{extra}]'"
        yield ReportRow(extra, f"{distribution} {found}" if found else absent)
    found = "installed beside tensormill" if find_spec("tensorflow") else "not installed"
    yield ReportRow("TensorFlow", f"{found} (never needed)")


def installed(distribution: str) -> str | None:
    """Return the version of a distribution, or None."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def table(sections: dict[str, list[ReportRow]]) -> Table:
    grid = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    for title, facts in sections.items():
        grid.add_row(f"[bold]{title}[/bold]", "")
        for fact in facts:
            value = escape(fact.value)
            grid.add_row(f"  {fact.name}", value if fact.well else f"[bold red]{value}[/bold red]")
    return grid
