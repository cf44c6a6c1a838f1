"""The two environments, and how tests of a library run in each."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests import environments
from tests.environments import ROOT
from tests.installers import download_source, install

from .catalogue import SHARED, TENSORFLOW, TENSORMILL, Library

HERE: Final = Path(__file__).parent
SOURCES: Final = ROOT / ".venv-libraries-sources"
QUIET: Final = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "MPLBACKEND": "Agg"}
SECONDS: Final = 3600


@dataclass(frozen=True)
class Side:
    """An environment with TensorFlow, or one with tensormill in its place."""

    name: str
    wanted: tuple[str, ...]
    prefix: tuple[str, ...]  # what comes between Python and the script or `-m MODULE`

    @property
    def python(self) -> Path:
        return ROOT / f".venv-libraries-{self.name}" / "bin" / "python"


THEIRS: Final = Side("tensorflow", TENSORFLOW, ())
OURS: Final = Side("tensormill", TENSORMILL, ("-m", "tensormill", "run"))


@dataclass(frozen=True)
class Found:
    """What the tests of a library gave on one side: names of tests, and values or complaints."""

    passed: Mapping[str, Any]
    failed: Mapping[str, str]


def prepare(libraries: Sequence[Library]) -> None:
    """Make both environments, with what these libraries need."""
    for side in (THEIRS, OURS):
        python = environments.make(side.python.parents[1], Path(sys.executable))
        needs = {need for library in libraries for need in library.needs}
        install(python, *side.wanted, *SHARED, *sorted(needs))
        alone = {f"{library.name}=={library.version}" for library in libraries}
        alone |= {one for library in libraries for one in library.alone}
        install(python, "--no-deps", *sorted(alone))


def run(library: Library, side: Side) -> Found:
    """Run all tests of a library on one side."""
    with tempfile.TemporaryDirectory() as folder:
        found = [program(library, name, side, Path(folder)) for name in library.programs]
        if library.published or library.installed:
            found.append(tested(library, side, Path(folder)))
    passed = {name: value for one in found for name, value in one.passed.items()}
    return Found(passed, {name: why for one in found for name, why in one.failed.items()})


def tested(library: Library, side: Side, folder: Path) -> Found:
    """What pytest says of the tests in a library's source archive, or installed with it."""
    for top in {Path(file).parts[0] for file in library.published}:
        # Not where they lie: the library beside them would be imported, and not the one installed.
        shutil.copytree(sources(library) / top, folder / top)
    for missing in library.empty:
        (folder / missing).touch()
    shutil.copy(HERE / "one_in_several.py", folder)
    report = folder / "report.xml"
    arguments = [
        *side.prefix, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider",
        "-p", "one_in_several", "--continue-on-collection-errors", f"--junit-xml={report}",
        *library.published,
        *(("--pyargs", library.installed) if library.installed else ()),
    ]  # fmt: skip
    done = start(library, side, arguments, folder, ONE_IN_SEVERAL=json.dumps(dict(library.every)))
    if not report.exists():
        return Found({}, {"pytest": done.stdout + done.stderr})
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    wrong = {
        title(case): one.text or one.get("message") or ""
        for case in cases
        for one in (case.find("failure"), case.find("error"))
        if one is not None
    }
    skipped = {title(case) for case in cases if case.find("skipped") is not None}
    passed = {title(case): None for case in cases}
    return Found({name: None for name in passed if name not in skipped | wrong.keys()}, wrong)


def title(case: ElementTree.Element) -> str:
    return f"{case.get('classname')}::{case.get('name')}"


def program(library: Library, name: str, side: Side, folder: Path) -> Found:
    """What the functions of a program returned, by `program::function`."""
    results = folder / "results.pickle"
    arguments = [*side.prefix, str(HERE / "checked.py"), str(HERE / "programs" / f"{name}.py")]
    done = start(library, side, [*arguments, str(results)], folder)
    if not results.exists():
        return Found({}, {name: done.stdout + done.stderr})
    with results.open("rb") as file:
        passed, failed = pickle.load(file)
    return Found(
        {f"{name}::{one}": value for one, value in passed.items()},
        {f"{name}::{one}": why for one, why in failed.items()},
    )


def start(
    library: Library, side: Side, arguments: Sequence[str], folder: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    variables = environments.clean() | QUIET | dict(library.environment) | more
    # Where programs leave files, and where absl's tests write, by fixed names.
    variables["TMPDIR"] = variables["TEST_TMPDIR"] = str(folder)
    if library.sources:
        variables["LIBRARY_SOURCES"] = str(sources(library))
    return subprocess.run(
        [side.python, *arguments], cwd=folder, env=variables, timeout=SECONDS,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def sources(library: Library) -> Path:
    """The library's source archive, unpacked."""
    folder = SOURCES / f"{library.name}-{library.version}"
    if not folder.exists():
        SOURCES.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=SOURCES) as fresh:
            download_source(library.name, library.version, Path(fresh))
            archive = next(Path(fresh).glob("*.tar.gz"))
            shutil.unpack_archive(archive, fresh)
            next(one for one in Path(fresh).iterdir() if one.is_dir()).rename(folder)
    return folder
