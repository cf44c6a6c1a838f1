"""How our `tf.compat.v1` compares with what `record_version_one` wrote of TensorFlow's.

`python -m tests.api.tensorflow_names` writes both lists, beside those of TensorFlow 2.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from . import tensorflow_names as names
from .record_version_one import FILE

MISSING = names.HERE / "missing_v1.txt"
DIFFERING = names.HERE / "differing_v1.txt"

# What is not going to be here, by the beginning of its name.
REASONS = {
    "tf.compat.v1.lite": "TensorFlow Lite is a library of its own, for phones",
    "tf.compat.v1.mlir": "converts graphs to the text of a compiler that is not here",
    "tf.compat.v1.tpu": "needs TPUs and TensorFlow's servers for them",
    "tf.compat.v1.quantization.experimental": "rewrites SavedModels for phones",
    "tf.compat.v1.LMDBReader": "reads a database whose library does not come with Python",
    "tf.compat.v1.config.experimental_connect_to": "needs TensorFlow's servers",
    "tf.compat.v1.distribute.Server": "needs TensorFlow's servers",
    "tf.compat.v1.distribute.experimental.TPUStrategy": "needs TPUs",
    "tf.compat.v1.data.experimental.get_model_proto": "shows how TensorFlow's runtime tunes itself",
    "tf.compat.v1.debugging.experimental": "writes what TensorFlow's own debugger reads",
    "tf.compat.v1.nn.quantized_relu_x": "has no kernel in TensorFlow",
    "tf.compat.v1.train.do_quantize_training": "rewrites graphs for phones",
    "tf.compat.v1.distribute.StrategyExtended": "is what strategies of several devices do",
    "tf.compat.v1.experimental.output_all_intermediates": "shows how TensorFlow differentiates",
    "tf.compat.v1.image.generate_bounding_box_proposals": "runs on GPUs alone",
    "tf.compat.v1.profiler": "reads what TensorFlow's runtime measures of itself",
    "tf.compat.v1.train.sdca": "was for estimators, which are taken out",
    "tf.compat.v1.errors.raise_exception_on_not_ok_status": "reads the state of TensorFlow's C",
    "tf.compat.v1.load_file_system_library": "loads code that is made for TensorFlow's runtime",
    "tf.compat.v1.test.create_local_cluster": "needs TensorFlow's servers",
    "tf.compat.v1.train.Server": "needs TensorFlow's servers",
}


@cache
def recorded() -> dict[str, Any]:
    """What TensorFlow's first version has, without what is the second one's."""
    return {name: one for name, one in everything().items() if not isinstance(one, str)}


@cache
def shared() -> dict[str, str]:
    """Names of the first version, with that of the second version which is the same thing."""
    return {name: one for name, one in everything().items() if isinstance(one, str)}


def everything() -> dict[str, Any]:
    return json.loads(FILE.read_text())


def missing() -> list[str]:
    """TensorFlow's names, and members of classes that are here, that nothing has."""
    absent = [name for name in shared() if not present(name)]
    return sorted([*absent, *names.missing(recorded())])


def present(name: str) -> bool:
    try:
        names.ours(name)
    except AttributeError:
        return False
    return True


def called_differently() -> Iterator[tuple[str, names.Parameters, names.Parameters]]:
    """Names with how TensorFlow calls them, and how we do."""
    yield from names.called_differently(recorded())
    for name, second in shared().items():
        if present(name) and present(second) and names.ours(name) is not names.ours(second):
            theirs = names.recorded()[second]
            yield from names.called_differently({name: theirs})


def differing() -> list[str]:
    """What is here, and is called in another way than in TensorFlow."""
    return sorted(f"{name}({', '.join(mine or ())})" for name, _, mine in called_differently())


def displaced() -> list[str]:
    """What has a parameter at another place: calls by position would be silently wrong."""
    return [name for name, theirs, mine in called_differently() if moved(theirs, mine)]


def moved(theirs: names.Parameters, mine: names.Parameters) -> bool:
    """Whether a parameter that both have by position is another one in the order."""
    first, second = by_position(theirs), by_position(mine)
    return any(first.index(one) != second.index(one) for one in first if one in second)


def by_position(parameters: names.Parameters) -> list[str]:
    """The parameters that may be given without their names."""
    found: list[str] = []
    for one in parameters or ():
        if one[0] == "*":
            break
        found.append(one.partition("=")[0])
    return found


def lists() -> list[tuple[Path, list[str]]]:
    """The files beside this one, and what has to be in them."""
    return [(MISSING, missing()), (DIFFERING, differing())]
