"""`tf.compat.v1.saved_model`: models in files, as sessions read and write them."""

from __future__ import annotations

from . import saved_model
from .lazy import joined, namespace

TABLE = joined(
    saved_model,
    {
        "": (
            "builder=compat_v1_saved_model_builder loader=compat_v1_saved_model_loader "
            "constants=compat_v1_saved_model_constants "
            "signature_constants=compat_v1_saved_model_signature_constants "
            "tag_constants=compat_v1_saved_model_tag_constants "
            "signature_def_utils=compat_v1_saved_model_signature_def_utils "
            "main_op=compat_v1_saved_model_main_op utils=compat_v1_saved_model_utils"
        ),
        "saved_model.options": "LEGACY_INIT_OP_KEY MAIN_OP_KEY",
        "version_one.signatures": (
            "classification_signature_def is_valid_signature regression_signature_def"
        ),
        "version_one.initialization": "main_op_with_restore",
        "saved_model.load": "load_v2=load",
        "version_one.saved_models": (
            "Builder=SavedModelBuilder build_signature_def build_tensor_info "
            "get_tensor_from_tensor_info load maybe_saved_model_directory predict_signature_def "
            "simple_save"
        ),
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model")
