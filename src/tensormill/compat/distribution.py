"""What `importlib.metadata` tells of `tensorflow`: libraries ask it for the version."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.metadata import Distribution, DistributionFinder
from pathlib import Path
from typing import Final

import tensormill

from ..eager.version import VERSION

NAME: Final = "tensorflow"

TEXTS: Final = {
    "METADATA": (
        f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n"
        f"Summary: tensormill, which stands for it in this process\n"
    ),
    "top_level.txt": f"{NAME}\n",
}


class NamedDistribution(Distribution):
    """The distribution `tensorflow`, where `import tensorflow` means tensormill."""

    def read_text(self, filename: str | os.PathLike[str]) -> str | None:
        return TEXTS.get(os.fspath(filename))

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path(tensormill.__file__).parent.parent / path


def distributions(context: DistributionFinder.Context) -> Iterator[Distribution]:
    """The one, where it is what is asked for: by its name, or by none."""
    if context.name is None or context.name.lower() == NAME:
        yield NamedDistribution()
