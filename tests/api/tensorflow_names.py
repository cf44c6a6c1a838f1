"""How our public names compare with those that `record_names` wrote of TensorFlow.

    python -m tests.api.tensorflow_names      # rewrites the lists, after a change on purpose

`missing.txt` has the names, and members of classes, that are not here; `differing.txt` those that
are called in another way. What stays there for good has its reason in `REASONS`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import tensormill as tf

from .record_names import FILE, described

HERE = Path(__file__).parent
MISSING, DIFFERING = HERE / "missing.txt", HERE / "differing.txt"

# What is not going to be here, by the beginning of its name.
REASONS = {
    "tf.image.generate_bounding_box_proposals": "TensorFlow itself has it on GPUs alone",
    "tf.config.experimental_connect_to": "connects to other machines",
    "tf.debugging.experimental": "writes what TensorFlow's debugger reads",
    "tf.test.create_local_cluster": "starts servers of TensorFlow's runtime",
    "tf.lite": "TensorFlow Lite is a library of its own, for phones",
    "tf.mlir": "converts graphs to the text of a compiler that is not here",
    "tf.tpu.experimental.DeviceAssignment": "says where on TPUs a program's parts run",
    "tf.tpu.experimental.DeviceOrderMode": "is an argument of that",
    "tf.tpu.experimental.embedding.CustomCombiner": "is run by TPUs alone",
    "tf.distribute.Server": "is TensorFlow's own server",
    "tf.distribute.cluster_resolver.TPU": "asks the service of a cloud",
    "tf.distribute.coordinator": "hands work out to other machines",
    "tf.distribute.experimental.coordinator": "hands work out to other machines",
    "tf.distribute.experimental.rpc": "calls functions of other processes",
    "tf.data.experimental.get_model_proto": "is how TensorFlow's kernels tune themselves",
    "tf.data.experimental.make_saveable": "is for graphs; TensorFlow raises eagerly",
    "tf.profiler.experimental.client": "asks profilers on other machines",
    "tf.profiler.experimental.server": "is asked by profilers on other machines",
    "tf.experimental.tensorrt": "needs TensorRT",
    "tf.quantization.experimental.quantize_saved_model": "rewrites SavedModels for phones",
}

# Classes whose members are not asked for: TensorFlow's are layers of the Keras 2 inside it.
OTHERWISE_BUILT = "tf.nn.RNNCell"

Parameters = list[str] | None


@cache
def recorded() -> dict[str, Any]:
    return json.loads(FILE.read_text())


def ours(name: str) -> Any:
    """What has this public name.

    Raises:
        AttributeError: nothing has.
    """
    found: Any = tf
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def missing(names: dict[str, Any] | None = None) -> list[str]:
    """TensorFlow's names, and members of classes that are here, that nothing has.

    `names` is what was recorded of them; if it is not given, what was of TensorFlow 2.
    """
    found: list[str] = []
    for name, theirs in (recorded() if names is None else names).items():
        try:
            mine = ours(name)
        except AttributeError:
            found.append(name)
            continue
        members = () if name.startswith(OTHERWISE_BUILT) else theirs.get("members", ())
        found += [f"{name}.{one}" for one in members if not hasattr(mine, one)]
    return found


def differing(names: dict[str, Any] | None = None) -> list[str]:
    """What is here, and is called in another way than in TensorFlow."""
    return [
        f"{name}({', '.join(mine or ())})"
        for name, _, mine in called_differently(names or recorded())
    ]


def called_differently(
    names: dict[str, Any],
) -> Iterator[tuple[str, Parameters, Parameters]]:
    """Names with how TensorFlow calls them, and how we do."""
    absent = set(missing(names))
    for name, theirs in names.items():
        if name in absent:
            continue
        mine = described(ours(name))
        # Types that only describe are made by nobody.
        makes = ".types." not in name
        if makes and not agree(theirs.get("parameters"), mine.get("parameters")):
            yield name, theirs.get("parameters"), mine.get("parameters")
        own = mine.get("members", {})
        for member, parameters in theirs.get("members", {}).items():
            if member in own and not agree(parameters, own[member]):
                yield f"{name}.{member}", parameters, own[member]


def agree(theirs: Parameters, mine: Parameters) -> bool:
    """Whether all calls that TensorFlow takes mean the same here: we may take more."""
    if theirs is None or untold(theirs) or theirs == mine:
        return True
    if mine is None:
        return False
    if any(one[0] == "*" for one in theirs):
        return len(theirs) == len(mine) and all(map(takes, theirs, mine))
    named, more = [one for one in mine if one[0] != "*"], len(theirs)
    return (
        len(named) >= more
        and all(map(takes, theirs, named))
        and all("=" in one for one in named[more:])
    )


def takes(theirs: str, mine: str) -> bool:
    """Whether a parameter is the same one: what takes all the rest may have any name, and what
    must be given there may have a default here.
    """
    if theirs[0] == "*":
        return theirs.count("*") == mine.count("*")
    return theirs == (mine if "=" in theirs else mine.split("=")[0])


def untold(parameters: list[str]) -> bool:
    """Whether it is a wrapper, which does not say what it hands on, or an enumeration, which says
    it otherwise in each Python.
    """
    return parameters == ["*args", "**kwargs"] or "qualname=None" in parameters


def main() -> None:
    from . import version_one_names

    for file, lines in ((MISSING, missing()), (DIFFERING, differing()), *version_one_names.lists()):
        file.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
