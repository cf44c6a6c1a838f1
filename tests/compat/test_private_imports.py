"""What public programs import most from TensorFlow's private modules: it resolves, to the same."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tensormill.api.packages import public_namespace
from tensormill.compat.private_faces import FACES
from tensormill.compat.private_renames import RENAMED
from tests.keras.optional import WITHOUT

# Counted in files of public repositories; ALIKE is what the names are in public.
PROGRAM = """
    import tensorflow as tf
    from tensorflow.python.client import device_lib, session
    from tensorflow.python.data.ops import dataset_ops, iterator_ops
    from tensorflow.python.eager import backprop, context, def_function, wrap_function
    from tensorflow.python.framework import (
        config, constant_op, device_spec, dtypes, errors, errors_impl, func_graph, graph_util,
        importer, indexed_slices, ops, random_seed, sparse_tensor, tensor_conversion, tensor_shape,
        tensor_spec, tensor_util, test_util,
    )
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    from tensorflow.python.ops.distributions.normal import Normal
    from tensorflow.python.pywrap_tensorflow import NewCheckpointReader
    from tensorflow.python.ops.gen_nn_ops import *
    import tensorflow.python.ops.nn_grad
    from tensorflow.python.lib.io import file_io, tf_record
    from tensorflow.python.ops import (
        array_ops, check_ops, clip_ops, cond, control_flow_ops, ctc_ops, custom_gradient,
        data_flow_ops, embedding_ops, gen_nn_ops, gradients, gradients_impl, image_ops, init_ops,
        init_ops_v2, io_ops, linalg_ops, logging_ops, lookup_ops, map_fn, math_ops, metrics,
        metrics_impl, nn, nn_impl, nn_ops, parsing_ops, partitioned_variables, random_ops,
        resource_variable_ops, rnn, script_ops, sparse_ops, special_math_ops, standard_ops,
        state_ops, stateless_random_ops, string_ops, summary_ops_v2, template, tensor_array_ops,
        variable_scope, variables, while_loop,
    )
    from tensorflow.python.ops.losses import losses_impl
    from tensorflow.python.ops.ragged import ragged_factory_ops
    from tensorflow.python.platform import app, flags, gfile, sysconfig, test, tf_logging
    from tensorflow.python.saved_model import (
        builder, load, loader, save, signature_constants, signature_def_utils, tag_constants, utils,
    )
    from tensorflow.python.summary import summary_iterator
    from tensorflow.python.trackable import resource
    from tensorflow.python.training import (
        adam, checkpoint_management, checkpoint_utils, gradient_descent, learning_rate_decay,
        momentum, monitored_session, moving_averages, optimizer, saver, session_run_hook,
        training_util,
    )
    from tensorflow.python.util import all_util, compat, nest

    v1 = tf.compat.v1
    ALIKE = [
        (Normal, tf.compat.v1.distributions.Normal),
        (NewCheckpointReader, tf.compat.v1.train.NewCheckpointReader),
        (constant_op.constant, tf.constant), (math_ops.reduce_sum, tf.reduce_sum),
        (math_ops.reduce_sum_v1, v1.reduce_sum), (math_ops.matmul, tf.matmul),
        (array_ops.where, v1.where), (array_ops.where_v2, tf.where),
        (array_ops.gather_v2, tf.gather), (array_ops.expand_dims_v2, tf.expand_dims),
        (nn_ops.softmax_v2, tf.nn.softmax), (nn_ops.conv2d_v2, tf.nn.conv2d),
        (nn_impl.moments_v2, tf.nn.moments), (control_flow_ops.group, tf.group),
        (cond.cond_for_tf_v2, tf.cond), (while_loop.while_loop_v2, tf.while_loop),
        (map_fn.map_fn_v2, tf.map_fn), (gradients_impl.gradients, v1.gradients),
        (init_ops_v2.Zeros, tf.zeros_initializer), (ops.name_scope_v2, tf.name_scope),
        (ops.reset_default_graph, v1.reset_default_graph),
        (random_ops.random_normal, tf.random.normal),
        (variable_scope.get_variable, v1.get_variable),
        (file_io.file_exists_v2, tf.io.gfile.exists),
        (optimizer.Optimizer, v1.train.Optimizer), (saver.Saver, v1.train.Saver),
        (adam.AdamOptimizer, v1.train.AdamOptimizer), (session.Session, v1.Session),
        (session_run_hook.SessionRunHook, v1.train.SessionRunHook),
        (moving_averages.ExponentialMovingAverage, tf.train.ExponentialMovingAverage),
        (metrics.accuracy, v1.metrics.accuracy), (losses_impl.huber_loss, v1.losses.huber_loss),
        (tag_constants.SERVING, tf.saved_model.SERVING), (load.load, tf.saved_model.load),
        (signature_constants.PREDICT_METHOD_NAME, tf.saved_model.PREDICT_METHOD_NAME),
        (flags.FLAGS, v1.flags.FLAGS), (app.run, v1.app.run), (dtypes.float32, tf.float32),
        (tensor_conversion.convert_to_tensor_v2_with_dispatch, tf.convert_to_tensor),
        (device_spec.DeviceSpecV2, tf.DeviceSpec), (nest.flatten, tf.nest.flatten),
        (def_function.function, tf.function), (errors_impl.OpError, tf.errors.OpError),
        (summary_iterator.summary_iterator, v1.train.summary_iterator),
    ]
    different = [number for number, (private, public) in enumerate(ALIKE) if private != public]
    assert different == [], different
    assert ["CPU"] == [one.device_type for one in device_lib.list_local_devices()]
    assert [2.0] == gen_nn_ops.relu([2.0]).numpy()

    # Keras 2 asks of every value that fit() logs whether it is one.
    assert not isinstance(1.0, tf.distribute.experimental.coordinator.RemoteValue)

    import types, sys
    shown = types.ModuleType("shown", "A module.\\n\\n@@first\\n")
    shown.first, shown.second, shown._third = 1, 2, 3
    sys.modules["shown"] = shown
    all_util.remove_undocumented("shown")
    assert ["first"] == all_util.make_all("shown") and not hasattr(shown, "second")
    all_util.reveal_undocumented("shown.second")
    assert 2 == shown.second

    from tensorflow.python.keras import Input, Model, backend as K, layers, models, utils
    from tensorflow.python.keras import regularizers
    from tensorflow.python.keras.callbacks import EarlyStopping
    from tensorflow.python.keras.engine.base_layer import Layer
    from tensorflow.python.keras.layers import Dense, Dropout
    from tensorflow.python.keras.models import Sequential
    from tensorflow.python.keras.optimizer_v2.adam import Adam
    from tensorflow.python.keras.preprocessing.sequence import pad_sequences
    from tensorflow.python.keras.utils.np_utils import to_categorical

    model = Sequential([layers.InputLayer((3,)), Dense(2, kernel_initializer="ones"), Dropout(0.5)])
    model.compile(Adam(0.1), "mse")
    model.fit(tf.ones([4, 3]), tf.zeros([4, 2]), verbose=0)
    assert issubclass(Dense, Layer) and isinstance(model, Model) and K.epsilon() == 1e-7
    assert (1, 2) == model.predict(tf.ones([1, 3]), verbose=0).shape
    assert [[0.0, 1.0]] == to_categorical([1], 2).tolist()
    assert [[0, 1]] == pad_sequences([[1]], 2).tolist()
    assert [] == K.get_graph().get_operations()
"""


def test_programs_find_what_they_import() -> None:
    code = WITHOUT + "from tensormill.compat import install; install()\n" + textwrap.dedent(PROGRAM)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("module", RENAMED)
def test_names_of_modules_have_a_public_place(module: str) -> None:
    for pair in RENAMED[module].split():
        *space, name = pair.partition("=")[2].split(".")
        assert hasattr(public_namespace(space), name), f"{module}: {pair}"


def test_namespaces_that_modules_show_exist() -> None:
    spaces = {space for several in FACES.values() for space in several.split()} - {"."}

    assert [] == [space for space in spaces if public_namespace(space.split(".")) is None]
