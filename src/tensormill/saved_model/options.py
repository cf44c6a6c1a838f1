"""What may be asked for when saving and loading, and the names that TensorFlow gives things."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

# ---- names (tensorflow/cc/saved_model/constants.h and signature_constants.h)
SERVING: Final = "serve"
TRAINING: Final = "train"
GPU: Final = "gpu"
TPU: Final = "tpu"
DEFAULT_SERVING_SIGNATURE_DEF_KEY: Final = "serving_default"
PREDICT_METHOD_NAME: Final = "tensorflow/serving/predict"
PREDICT_INPUTS: Final = "inputs"
PREDICT_OUTPUTS: Final = "outputs"
CLASSIFY_METHOD_NAME: Final = "tensorflow/serving/classify"
CLASSIFY_INPUTS: Final = "inputs"
CLASSIFY_OUTPUT_CLASSES: Final = "classes"
CLASSIFY_OUTPUT_SCORES: Final = "scores"
REGRESS_METHOD_NAME: Final = "tensorflow/serving/regress"
REGRESS_INPUTS: Final = "inputs"
REGRESS_OUTPUTS: Final = "outputs"
SAVED_MODEL_SCHEMA_VERSION: Final = 1
SAVED_MODEL_FILENAME_PB: Final = "saved_model.pb"
SAVED_MODEL_FILENAME_PBTXT: Final = "saved_model.pbtxt"
FINGERPRINT_FILENAME: Final = "fingerprint.pb"
DEBUG_DIRECTORY: Final = "debug"
DEBUG_INFO_FILENAME_PB: Final = "saved_model_debug_info.pb"
VARIABLES_DIRECTORY: Final = "variables"
VARIABLES_FILENAME: Final = "variables"
ASSETS_DIRECTORY: Final = "assets"
ASSETS_KEY: Final = "saved_model_assets"
MAIN_OP_KEY: Final = "saved_model_main_op"
LEGACY_INIT_OP_KEY: Final = "legacy_init_op"

# The signature of what initialises a model, and its one output.
INIT_SIGNATURE: Final = "__saved_model_init_op"
# The attribute under which Keras keeps the function to serve.
DEFAULT_SIGNATURE_ATTRIBUTE: Final = "_default_save_signature"


class SaveOptions:
    """How `tf.saved_model.save` writes.

    `function_aliases` maps names to tf.functions: all their traces are listed under that name.
    `extra_tags` are tags besides "serve". `save_debug_info` writes the user's lines, so that errors
    of the loaded functions show them. What else TensorFlow has here is taken and has nothing to act
    on: there is one device, and no namespaces of operations.

    Raises:
        ValueError: an unknown `experimental_variable_policy`.
    """

    __slots__ = {
        "experimental_custom_gradients": "Whether gradients of the user's are written, too.",
        "experimental_debug_stripper": "Taken, and has nothing to act on.",
        "experimental_image_format": "Taken: the format of models is one.",
        "experimental_io_device": "Taken: there is one device.",
        "experimental_sharding_callback": "Taken: variables are in one file.",
        "experimental_skip_saver": "Whether the functions that save and restore are left out.",
        "experimental_variable_policy": "What is written of where variables are: a VariablePolicy.",
        "extra_tags": "The tags besides `serve`.",
        "function_aliases": "tf.functions by the names under which all their traces are listed.",
        "namespace_whitelist": "Taken: there are no namespaces of operations.",
        "save_debug_info": "Whether the user's lines are written, which errors then show.",
    }  # with what `help` says of them

    def __init__(
        self,
        namespace_whitelist: Sequence[str] | None = None,
        save_debug_info: bool = False,
        function_aliases: Mapping[str, Any] | None = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: Any = None,
        extra_tags: Sequence[str] | None = None,
    ) -> None:
        self.namespace_whitelist = (
            None if namespace_whitelist is None else list(namespace_whitelist)
        )
        self.save_debug_info = save_debug_info
        self.function_aliases = dict(function_aliases or {})
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = VariablePolicy.from_obj(experimental_variable_policy)
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_image_format = experimental_image_format
        self.experimental_skip_saver = experimental_skip_saver
        self.experimental_sharding_callback = experimental_sharding_callback
        self.extra_tags = _listed(extra_tags)
        self.experimental_debug_stripper = experimental_debug_stripper


def _listed(values: Sequence[str] | None) -> list[str] | None:
    return None if values is None else list(values)


class LoadOptions:
    """How `tf.saved_model.load` reads.

    `allow_partial_checkpoint` leaves variables without a value that have none in the files;
    `experimental_skip_checkpoint` leaves all of them so. The model's functions may touch files in
    its own directory, and in `allowed_directories`, which TensorFlow does not have: there they may
    touch all files.

    Raises:
        ValueError: an unknown `experimental_variable_policy`.
        TypeError: `allowed_directories` is a string.
    """

    __slots__ = {
        "allow_partial_checkpoint": "Whether the files may lack values of variables.",
        "allowed_directories": "Where its functions may touch files, too.",
        "experimental_io_device": "Taken: there is one device.",
        "experimental_load_function_aliases": "Whether `function_aliases` are read.",
        "experimental_skip_checkpoint": "Whether variables are left without their values.",
        "experimental_variable_policy": "What is read of where variables are: a VariablePolicy.",
    }  # with what `help` says of them

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
        allowed_directories: Sequence[Any] = (),
    ) -> None:
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = experimental_skip_checkpoint
        self.experimental_variable_policy = VariablePolicy.from_obj(experimental_variable_policy)
        self.experimental_load_function_aliases = experimental_load_function_aliases
        if isinstance(allowed_directories, (str, bytes)):
            raise TypeError(
                f"allowed_directories is a list of directories, not {allowed_directories!r}"
            )
        self.allowed_directories = [os.path.abspath(os.fspath(one)) for one in allowed_directories]


class VariablePolicy(Enum):
    """What of a variable besides its value is kept."""

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"

    @classmethod
    def from_obj(cls, obj: Any) -> VariablePolicy:
        """The policy that an object is, or names in any case.

        Raises:
            ValueError: it is none.
        """
        text = obj.lower() if isinstance(obj, str) else obj
        try:
            return cls(text)
        except ValueError:
            known = [one.value for one in cls]
            raise ValueError(
                f"invalid experimental_variable_policy {obj!r}: it is one of {known}"
            ) from None
