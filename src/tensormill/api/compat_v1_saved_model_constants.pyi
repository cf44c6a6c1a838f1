# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.constants`: names of files and collections."""

from ..saved_model.options import ASSETS_DIRECTORY as ASSETS_DIRECTORY
from ..saved_model.options import ASSETS_KEY as ASSETS_KEY
from ..saved_model.options import DEBUG_DIRECTORY as DEBUG_DIRECTORY
from ..saved_model.options import DEBUG_INFO_FILENAME_PB as DEBUG_INFO_FILENAME_PB
from ..saved_model.options import LEGACY_INIT_OP_KEY as LEGACY_INIT_OP_KEY
from ..saved_model.options import MAIN_OP_KEY as MAIN_OP_KEY
from ..saved_model.options import SAVED_MODEL_FILENAME_PB as SAVED_MODEL_FILENAME_PB
from ..saved_model.options import SAVED_MODEL_FILENAME_PBTXT as SAVED_MODEL_FILENAME_PBTXT
from ..saved_model.options import SAVED_MODEL_SCHEMA_VERSION as SAVED_MODEL_SCHEMA_VERSION
from ..saved_model.options import VARIABLES_DIRECTORY as VARIABLES_DIRECTORY
from ..saved_model.options import VARIABLES_FILENAME as VARIABLES_FILENAME

__all__ = ['ASSETS_DIRECTORY', 'ASSETS_KEY', 'DEBUG_DIRECTORY', 'DEBUG_INFO_FILENAME_PB', 'LEGACY_INIT_OP_KEY', 'MAIN_OP_KEY', 'SAVED_MODEL_FILENAME_PB', 'SAVED_MODEL_FILENAME_PBTXT', 'SAVED_MODEL_SCHEMA_VERSION', 'VARIABLES_DIRECTORY', 'VARIABLES_FILENAME']
