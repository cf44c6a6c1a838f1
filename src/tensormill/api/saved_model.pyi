# Written by `make stubs` from the table beside it.

"""`tf.saved_model`: models in files that TensorFlow reads as well."""

from ..saved_model.options import ASSETS_DIRECTORY as ASSETS_DIRECTORY
from ..saved_model.options import ASSETS_KEY as ASSETS_KEY
from ..module.assets import Asset as Asset
from ..saved_model.options import CLASSIFY_INPUTS as CLASSIFY_INPUTS
from ..saved_model.options import CLASSIFY_METHOD_NAME as CLASSIFY_METHOD_NAME
from ..saved_model.options import CLASSIFY_OUTPUT_CLASSES as CLASSIFY_OUTPUT_CLASSES
from ..saved_model.options import CLASSIFY_OUTPUT_SCORES as CLASSIFY_OUTPUT_SCORES
from ..saved_model.options import DEBUG_DIRECTORY as DEBUG_DIRECTORY
from ..saved_model.options import DEBUG_INFO_FILENAME_PB as DEBUG_INFO_FILENAME_PB
from ..saved_model.options import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from ..saved_model.options import GPU as GPU
from ..saved_model.options import LoadOptions as LoadOptions
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
from ..saved_model.read import contains_saved_model as contains_saved_model
from . import saved_model_experimental as experimental
from ..saved_model.load import load as load
from ..saved_model.save import save as save

__all__ = ['ASSETS_DIRECTORY', 'ASSETS_KEY', 'Asset', 'CLASSIFY_INPUTS', 'CLASSIFY_METHOD_NAME', 'CLASSIFY_OUTPUT_CLASSES', 'CLASSIFY_OUTPUT_SCORES', 'DEBUG_DIRECTORY', 'DEBUG_INFO_FILENAME_PB', 'DEFAULT_SERVING_SIGNATURE_DEF_KEY', 'GPU', 'LoadOptions', 'PREDICT_INPUTS', 'PREDICT_METHOD_NAME', 'PREDICT_OUTPUTS', 'REGRESS_INPUTS', 'REGRESS_METHOD_NAME', 'REGRESS_OUTPUTS', 'SAVED_MODEL_FILENAME_PB', 'SAVED_MODEL_FILENAME_PBTXT', 'SAVED_MODEL_SCHEMA_VERSION', 'SERVING', 'SaveOptions', 'TPU', 'TRAINING', 'VARIABLES_DIRECTORY', 'VARIABLES_FILENAME', 'contains_saved_model', 'experimental', 'load', 'save']
