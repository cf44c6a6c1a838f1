# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.resource_loader`: files that lie beside a program."""

from ..version_one.resource_files import get_data_files_path as get_data_files_path
from ..version_one.resource_files import get_path_to_datafile as get_path_to_datafile
from ..version_one.resource_files import get_root_dir_with_all_resources as get_root_dir_with_all_resources
from ..version_one.resource_files import load_resource as load_resource
from ..version_one.resource_files import readahead_file_path as readahead_file_path

__all__ = ['get_data_files_path', 'get_path_to_datafile', 'get_root_dir_with_all_resources', 'load_resource', 'readahead_file_path']
