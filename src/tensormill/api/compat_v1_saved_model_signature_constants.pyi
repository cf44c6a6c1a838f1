# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.saved_model.signature_constants`: names in signatures."""

from ..saved_model.options import CLASSIFY_INPUTS as CLASSIFY_INPUTS
from ..saved_model.options import CLASSIFY_METHOD_NAME as CLASSIFY_METHOD_NAME
from ..saved_model.options import CLASSIFY_OUTPUT_CLASSES as CLASSIFY_OUTPUT_CLASSES
from ..saved_model.options import CLASSIFY_OUTPUT_SCORES as CLASSIFY_OUTPUT_SCORES
from ..saved_model.options import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from ..saved_model.options import PREDICT_INPUTS as PREDICT_INPUTS
from ..saved_model.options import PREDICT_METHOD_NAME as PREDICT_METHOD_NAME
from ..saved_model.options import PREDICT_OUTPUTS as PREDICT_OUTPUTS
from ..saved_model.options import REGRESS_INPUTS as REGRESS_INPUTS
from ..saved_model.options import REGRESS_METHOD_NAME as REGRESS_METHOD_NAME
from ..saved_model.options import REGRESS_OUTPUTS as REGRESS_OUTPUTS

__all__ = ['CLASSIFY_INPUTS', 'CLASSIFY_METHOD_NAME', 'CLASSIFY_OUTPUT_CLASSES', 'CLASSIFY_OUTPUT_SCORES', 'DEFAULT_SERVING_SIGNATURE_DEF_KEY', 'PREDICT_INPUTS', 'PREDICT_METHOD_NAME', 'PREDICT_OUTPUTS', 'REGRESS_INPUTS', 'REGRESS_METHOD_NAME', 'REGRESS_OUTPUTS']
