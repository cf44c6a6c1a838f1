"""Signatures of classifications and regressions (`tf.compat.v1.saved_model`): TensorFlow Serving
gives them serialized examples.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from ..core import dtypes
from ..core.dtypes import DType
from ..core.files.atomic import write_file
from ..core.files.gfile import text, translated
from ..saved_model import options
from ..saved_model.read import proto_path, read_saved_model
from .saved_models import build_signature_def, build_tensor_info


def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """The signature of a classification: of examples to classes, scores, or both.

    examples, classes: string tensors of a graph. scores: float32.

    >>> with tf.Graph().as_default():
    ...     x = tf.compat.v1.placeholder(tf.string, [None])
    ...     signature = tf.compat.v1.saved_model.classification_signature_def(x, x, None)
    >>> signature.method_name, list(signature.outputs)
    ('tensorflow/serving/classify', ['classes'])

    Raises:
        ValueError: there are no examples, or neither classes nor scores; one has another dtype.
    """
    if classes is None and scores is None:
        raise ValueError("Classification: one of `classes` and `scores` is needed, both are None")
    outputs = {
        options.CLASSIFY_OUTPUT_CLASSES: (classes, dtypes.string),
        options.CLASSIFY_OUTPUT_SCORES: (scores, dtypes.float32),
    }
    return _signature(
        options.CLASSIFY_METHOD_NAME, "Classification", options.CLASSIFY_INPUTS, examples, outputs
    )


def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """The signature of a regression: of examples to numbers.

    examples: a string tensor of a graph. predictions: float32.

    >>> with tf.Graph().as_default():
    ...     x = tf.compat.v1.placeholder(tf.string, [None])
    ...     y = tf.cast(tf.strings.length(x), tf.float32)
    ...     signature = tf.compat.v1.saved_model.regression_signature_def(x, y)
    >>> signature.method_name, list(signature.outputs)
    ('tensorflow/serving/regress', ['outputs'])

    Raises:
        ValueError: there are no examples or no predictions; one has another dtype.
    """
    if predictions is None:
        raise ValueError("Regression: `predictions` is needed, got None")
    outputs = {options.REGRESS_OUTPUTS: (predictions, dtypes.float32)}
    return _signature(
        options.REGRESS_METHOD_NAME, "Regression", options.REGRESS_INPUTS, examples, outputs
    )


def _signature(
    method: str, what: str, key: str, examples: Any, outputs: dict[str, tuple[Any, DType]]
) -> Any:
    given = {key: (examples, dtypes.string)}
    if examples is None or not hasattr(examples, "dtype"):
        raise ValueError(f"{what}: `examples` is a string tensor, got {examples!r}")
    found = {name: one for name, one in outputs.items() if one[0] is not None}
    for name, (tensor, dtype) in (given | found).items():
        if tensor.dtype != dtype:
            raise ValueError(
                f"{what}: `{name}` has to be of {dtype.name}, got {tensor.dtype.name}; tf.cast or "
                "tf.as_string makes it so"
            )
    inputs, results = (
        {name: build_tensor_info(one[0]) for name, one in side.items()} for side in (given, found)
    )
    return build_signature_def(inputs, results, method)


# What each method takes and may give: names, and the numbers of dtypes.
_METHODS: Final = {
    options.CLASSIFY_METHOD_NAME: (
        {options.CLASSIFY_INPUTS: dtypes.string},
        {
            options.CLASSIFY_OUTPUT_CLASSES: dtypes.string,
            options.CLASSIFY_OUTPUT_SCORES: dtypes.float32,
        },
    ),
    options.REGRESS_METHOD_NAME: (
        {options.REGRESS_INPUTS: dtypes.string},
        {options.REGRESS_OUTPUTS: dtypes.float32},
    ),
}


def is_valid_signature(signature_def: Any) -> bool:
    """Whether TensorFlow Serving knows what to do with a signature: by its method's name.

    >>> tf.compat.v1.saved_model.is_valid_signature(
    ...     tf.compat.v1.saved_model.build_signature_def(method_name="mine"))
    False

    Raises:
        AttributeError: it is no signature.
    """
    inputs, outputs = signature_def.inputs, signature_def.outputs
    if signature_def.method_name == options.PREDICT_METHOD_NAME:
        return bool(inputs) and bool(outputs)
    known = _METHODS.get(signature_def.method_name)
    if known is None:
        return False
    return inputs.keys() == known[0].keys() and all(
        _are_of(infos, wanted) for infos, wanted in zip((inputs, outputs), known, strict=True)
    )


def _are_of(infos: Any, wanted: dict[str, DType]) -> bool:
    return bool(infos) and all(
        name in wanted and info.dtype == wanted[name].as_datatype_enum
        for name, info in infos.items()
    )


class MethodNameUpdater:
    """Gives signatures of a SavedModel of TensorFlow 1 other names of methods, for its servers.

    export_dir: the directory of the SavedModel.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, [])
    ...     tf.compat.v1.saved_model.simple_save(session, "named", {"x": x}, {"y": x})
    >>> updater = tf.compat.v1.saved_model.signature_def_utils.MethodNameUpdater("named")
    >>> updater.replace_method_name("serving_default", "serve/this")
    >>> updater.save()
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     meta = tf.compat.v1.saved_model.load(session, ["serve"], "named")
    >>> meta.signature_def["serving_default"].method_name
    'serve/this'

    Raises:
        OSError: there is no SavedModel.
    """

    def __init__(self, export_dir: Any) -> None:
        self._directory: Final = text(export_dir)
        self._proto: Final = read_saved_model(self._directory)

    def replace_method_name(
        self, signature_key: str, method_name: str, tags: str | Sequence[str] | None = None
    ) -> None:
        """Have a signature name another method.

        signature_key: the name of the signature. tags: those of the graphs; without them, all.

        Raises:
            ValueError: a name is empty; no graph has these tags, or one has no such signature.
        """
        for name, given in (("signature_key", signature_key), ("method_name", method_name)):
            if not given:
                raise ValueError(f"`{name}` must be defined.")
        wanted = {tags} if isinstance(tags, str) else set(tags or ())
        found = [one for one in self._proto.meta_graphs
                 if not wanted or wanted == set(one.meta_info_def.tags)]  # fmt: skip
        if not found:
            raise ValueError(
                f"MetaGraphDef associated with tags {tags} could not be found in SavedModel: they "
                f"are {[list(one.meta_info_def.tags) for one in self._proto.meta_graphs]}"
            )
        for meta in found:
            if signature_key not in meta.signature_def:
                raise ValueError(
                    f"MetaGraphDef associated with tags {tags} does not have a signature_def with "
                    f"key: {signature_key!r}; it has {sorted(meta.signature_def)}"
                )
            meta.signature_def[signature_key].method_name = method_name

    def save(self, new_export_dir: Any = None) -> None:
        """Write the graphs where they were, or into another directory, which gets no variables.

        Raises:
            NotFoundError: there is no such directory.
        """
        path = proto_path(self._directory if new_export_dir is None else text(new_export_dir))
        with translated(path):
            if not os.path.isdir(os.path.dirname(path)):
                raise FileNotFoundError(2, "No such file or directory", path)
            write_file(path, self._proto.SerializeToString(deterministic=True))
