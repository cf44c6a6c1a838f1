# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model`: models in files, as sessions read and write them."""

from ..saved_model.options import ASSETS_DIRECTORY as ASSETS_DIRECTORY
from ..saved_model.options import ASSETS_KEY as ASSETS_KEY
from ..module.assets import Asset as Asset
from ..version_one.saved_models import SavedModelBuilder as Builder
from ..saved_model.options import CLASSIFY_INPUTS as CLASSIFY_INPUTS
from ..saved_model.options import CLASSIFY_METHOD_NAME as CLASSIFY_METHOD_NAME
from ..saved_model.options import CLASSIFY_OUTPUT_CLASSES as CLASSIFY_OUTPUT_CLASSES
from ..saved_model.options import CLASSIFY_OUTPUT_SCORES as CLASSIFY_OUTPUT_SCORES
from ..saved_model.options import DEBUG_DIRECTORY as DEBUG_DIRECTORY
from ..saved_model.options import DEBUG_INFO_FILENAME_PB as DEBUG_INFO_FILENAME_PB
from ..saved_model.options import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from ..saved_model.options import GPU as GPU
from ..saved_model.options import LEGACY_INIT_OP_KEY as LEGACY_INIT_OP_KEY
from ..saved_model.options import LoadOptions as LoadOptions
from ..saved_model.options import MAIN_OP_KEY as MAIN_OP_KEY
from ..saved_model.options import PREDICT_INPUTS as PREDICT_INPUTS
from ..saved_model.options import PREDICT_METHOD_NAME as PREDICT_METHOD_NAME
from ..saved_model.options import PREDICT_OUTPUTS as PREDICT_OUTPUTS
from ..saved_model.options import REGRESS_INPUTS as REGRESS_INPUTS
from ..saved_model.options import REGRESS_METHOD_NAME as REGRESS_METHOD_NAME
from ..saved_model.options import REGRESS_OUTPUTS as REGRESS_OUTPUTS
from ..saved_model.options import SAVED_MODEL_FILENAME_PB as SAVED_MODEL_FILENAME_PB
from ..saved_model.options import SAVED_MODEL_FILENAME_PBTXT as SAVED_MODEL_FILENAME_PBTXT
from ..saved_model.options import SAVED_MODEL_SCHEMA_VERSION as SAVED_MODEL_SCHEMA_VERSION
from ..saved_model.options import SERVING as SERVING
from ..saved_model.options import SaveOptions as SaveOptions
from ..saved_model.options import TPU as TPU
from ..saved_model.options import TRAINING as TRAINING
from ..saved_model.options import VARIABLES_DIRECTORY as VARIABLES_DIRECTORY
from ..saved_model.options import VARIABLES_FILENAME as VARIABLES_FILENAME
from ..version_one.saved_models import build_signature_def as build_signature_def
from ..version_one.saved_models import build_tensor_info as build_tensor_info
from . import compat_v1_saved_model_builder as builder
from ..version_one.signatures import classification_signature_def as classification_signature_def
from . import compat_v1_saved_model_constants as constants
from ..saved_model.read import contains_saved_model as contains_saved_model
from . import saved_model_experimental as experimental
from ..version_one.saved_models import get_tensor_from_tensor_info as get_tensor_from_tensor_info
from ..version_one.signatures import is_valid_signature as is_valid_signature
from ..version_one.saved_models import load as load
from ..saved_model.load import load as load_v2
from . import compat_v1_saved_model_loader as loader
from . import compat_v1_saved_model_main_op as main_op
from ..version_one.initialization import main_op_with_restore as main_op_with_restore
from ..version_one.saved_models import maybe_saved_model_directory as maybe_saved_model_directory
from ..version_one.saved_models import predict_signature_def as predict_signature_def
from ..version_one.signatures import regression_signature_def as regression_signature_def
from ..saved_model.save import save as save
from . import compat_v1_saved_model_signature_constants as signature_constants
from . import compat_v1_saved_model_signature_def_utils as signature_def_utils
from ..version_one.saved_models import simple_save as simple_save
from . import compat_v1_saved_model_tag_constants as tag_constants
from . import compat_v1_saved_model_utils as utils

__all__ = ['ASSETS_DIRECTORY', 'ASSETS_KEY', 'Asset', 'Builder', 'CLASSIFY_INPUTS', 'CLASSIFY_METHOD_NAME', 'CLASSIFY_OUTPUT_CLASSES', 'CLASSIFY_OUTPUT_SCORES', 'DEBUG_DIRECTORY', 'DEBUG_INFO_FILENAME_PB', 'DEFAULT_SERVING_SIGNATURE_DEF_KEY', 'GPU', 'LEGACY_INIT_OP_KEY', 'LoadOptions', 'MAIN_OP_KEY', 'PREDICT_INPUTS', 'PREDICT_METHOD_NAME', 'PREDICT_OUTPUTS', 'REGRESS_INPUTS', 'REGRESS_METHOD_NAME', 'REGRESS_OUTPUTS', 'SAVED_MODEL_FILENAME_PB', 'SAVED_MODEL_FILENAME_PBTXT', 'SAVED_MODEL_SCHEMA_VERSION', 'SERVING', 'SaveOptions', 'TPU', 'TRAINING', 'VARIABLES_DIRECTORY', 'VARIABLES_FILENAME', 'build_signature_def', 'build_tensor_info', 'builder', 'classification_signature_def', 'constants', 'contains_saved_model', 'experimental', 'get_tensor_from_tensor_info', 'is_valid_signature', 'load', 'load_v2', 'loader', 'main_op', 'main_op_with_restore', 'maybe_saved_model_directory', 'predict_signature_def', 'regression_signature_def', 'save', 'signature_constants', 'signature_def_utils', 'simple_save', 'tag_constants', 'utils']
