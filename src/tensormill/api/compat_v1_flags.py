"""`tf.compat.v1.flags`: flags on the command line, by absl."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.programs": (
        "DEFINE_bool DEFINE_boolean DEFINE_enum DEFINE_float DEFINE_integer DEFINE_list "
        "DEFINE_multi_integer DEFINE_multi_string DEFINE_string FLAGS mark_flag_as_required"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.flags")
