"""`tf.compat.v1.resource_loader`: files that lie beside a program."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.resource_files": (
        "get_data_files_path get_path_to_datafile get_root_dir_with_all_resources load_resource "
        "readahead_file_path"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.resource_loader")
