"""`tf.saved_model.experimental.Fingerprint`: numbers by which a SavedModel is known again."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from google.protobuf.message import DecodeError

from ..core.files import gfile
from ..graph.proto.messages import message
from ..ops.strings.hashes import fingerprint as hash_of
from .options import FINGERPRINT_FILENAME

# Which way of making fingerprints ours is; TensorFlow's has 4.
VERSION: Final = 1
_PARTS: Final = {
    "graph_def_program_hash": "A number of the graph.",
    "signature_def_hash": "A number of the signatures.",
    "saved_object_graph_hash": "A number of the objects.",
    "checkpoint_hash": "A number of the index of the variables' values.",
}


class SavedModelFingerprint:
    """Numbers that tell one SavedModel from another; the checksum is of all of its proto.

    saved_model_checksum: int, of the file. The others, each an int, are of parts: of the graph, of
    the signatures, of the objects, of the variables' index. version: a VersionDef.

    >>> tf.saved_model.save(tf.Module(), "printed")
    >>> made = tf.saved_model.experimental.read_fingerprint("printed")
    >>> made == tf.saved_model.experimental.Fingerprint.from_proto(made.to_proto())
    True

    Raises:
        ValueError: (`singleprint`) one of the numbers of parts is missing.
    """

    __slots__ = {
        "saved_model_checksum": "A number of the whole file.",
        "version": "Which way of making these numbers it is: a VersionDef.",
        **_PARTS,
    }  # with what `help` says of them

    def __init__(
        self, saved_model_checksum: int | None = None, graph_def_program_hash: int | None = None,
        signature_def_hash: int | None = None, saved_object_graph_hash: int | None = None,
        checkpoint_hash: int | None = None, version: Any = None,
    ) -> None:  # fmt: skip
        self.saved_model_checksum = saved_model_checksum
        self.graph_def_program_hash = graph_def_program_hash
        self.signature_def_hash = signature_def_hash
        self.saved_object_graph_hash = saved_object_graph_hash
        self.checkpoint_hash = checkpoint_hash
        self.version = version

    @classmethod
    def from_proto(cls, proto: Any) -> SavedModelFingerprint:
        """The fingerprint in a FingerprintDef."""
        parts = [getattr(proto, name) for name in _PARTS]
        return cls(proto.saved_model_checksum, *parts, version=proto.version)

    def to_proto(self) -> Any:
        """The same as a FingerprintDef."""
        known = {name: number for name, number in self._numbers().items() if number is not None}
        return message("FingerprintDef")(**known, version=self.version)

    def _numbers(self) -> dict[str, int | None]:
        names = ("saved_model_checksum", *_PARTS)
        return {name: getattr(self, name) for name in names}

    def singleprint(self) -> str:
        """The numbers of the parts in one text, with slashes between them."""
        numbers = [getattr(self, name) for name in _PARTS]
        missing = [name for name in _PARTS if not isinstance(getattr(self, name), int)]
        if missing:
            raise ValueError(
                f"Encountered invalid fingerprint values when constructing singleprint: {missing} "
                f"of {self!r} are no numbers"
            )
        return "/".join(map(str, numbers))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SavedModelFingerprint) and self._numbers() == other._numbers()

    __hash__ = None  # type: ignore[assignment] - its numbers may be changed

    def __str__(self) -> str:
        lines = [f"  {name}: {number}" for name, number in self._numbers().items()]
        return "\n".join(["SavedModel Fingerprint", *lines])

    def __repr__(self) -> str:
        return f"Fingerprint({', '.join(map(str, self._numbers().values()))})"


def read_fingerprint(export_dir: Any) -> SavedModelFingerprint:
    """The fingerprint of the SavedModel in a directory.

    export_dir: a path.

    >>> tf.saved_model.save(tf.Module(), "known")
    >>> tf.saved_model.experimental.read_fingerprint("known").singleprint().count("/")
    3

    Raises:
        FileNotFoundError: the directory has none: it was written by an older release.
        RuntimeError: the file is damaged.
    """
    path = os.path.join(gfile.text(export_dir), FINGERPRINT_FILENAME)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise FileNotFoundError(
            f"SavedModel Fingerprint Error: Could not find fingerprint in directory: "
            f"{gfile.text(export_dir)}"
        ) from None
    try:
        return SavedModelFingerprint.from_proto(message("FingerprintDef").FromString(data))
    except DecodeError as error:
        raise RuntimeError(f"SavedModel Fingerprint Error: {path}: {error}") from None


def fingerprint_of(proto: bytes, meta: Any, index: bytes) -> Any:
    """The FingerprintDef of a model: of its proto, of the MetaGraphDef in that, of its index."""
    served = meta.signature_def
    parts: Mapping[str, int] = {
        "saved_model_checksum": _digest(proto),
        "graph_def_program_hash": _digest(_serialised(meta.graph_def)),
        "signature_def_hash": _digest(
            *(key.encode() + _serialised(served[key]) for key in sorted(served))
        ),
        "saved_object_graph_hash": _digest(_serialised(meta.object_graph_def)),
        "checkpoint_hash": int(np.uint64(hash_of(index))),
    }
    made = message("FingerprintDef")(**parts, uuid=str(uuid.uuid4().int))
    made.version.producer = VERSION
    return made


def _serialised(proto: Any) -> bytes:
    return proto.SerializeToString(deterministic=True)


def _digest(*parts: bytes) -> int:
    """64 bits that tell whether the parts are the same."""
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return int.from_bytes(digest.digest(), "little")
