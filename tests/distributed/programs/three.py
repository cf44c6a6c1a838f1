"""Three workers add numbers up, and something happens to one of them, named by the first argument.

python three.py late SECONDS       the last one begins so much later
python three.py uneven 0           datasets of two, four and six numbers
python three.py raises 0           the second one's program raises an error of its own
python three.py asserts 0          an assertion fails within the step of the second one
python three.py saving 0 FOLDER    the first one is killed while it writes its fourth checkpoint
python three.py again 0 FOLDER     goes on from the last checkpoint
"""

import json
import os
import signal
import sys
import threading
import time

import tensorflow as tf

mode, seconds, *folder = sys.argv[1:]
STEPS = 6
task = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
if mode == "late" and task == 2:
    time.sleep(float(seconds))


def tell(*values):
    print(json.dumps(values), flush=True)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    total = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
    large = tf.Variable(tf.zeros([3_000_000]))  # which takes long enough to write


def replica_step(x):
    tf.debugging.Assert(tf.reduce_sum(x) < 100.0, ["too much"])
    total.assign_add(tf.reduce_sum(x))
    return tf.distribute.get_replica_context().all_reduce("SUM", tf.reduce_sum(x))


@tf.function
def step(x):
    return strategy.run(replica_step, args=(x,))


def numbers(context):
    count = 2 * (context.input_pipeline_id + 1)
    return tf.data.Dataset.range(count).map(lambda x: tf.cast(x, tf.float32)).batch(2)


def uneven():
    dataset = strategy.distribute_datasets_from_function(numbers)
    return [float(step(x)) for x in dataset]


def kill_when(path):
    """Kill this process as soon as there is a file."""
    while not os.path.exists(path):
        pass
    os.kill(os.getpid(), signal.SIGKILL)


def steps():
    checkpoint = tf.train.Checkpoint(total=total, large=large)
    manager = tf.train.CheckpointManager(checkpoint, *folder, max_to_keep=2) if folder else None
    if manager:
        manager.restore_or_initialize()
    found = [float(total)]
    for number in range(STEPS):
        if mode == "raises" and task == 1 and number == 3:
            raise ValueError("of this worker's program")
        is_wrong = mode == "asserts" and task == 1 and number == 3
        found.append(float(step(tf.constant([1.0, 1000.0 if is_wrong else number]))))
        if manager and strategy.extended.should_checkpoint:
            if mode == "saving" and number == 3:
                path = os.path.join(*folder, "ckpt-4.data-00000-of-00001")
                threading.Thread(target=kill_when, args=(path,)).start()
            manager.save()
    return found


begin = time.monotonic()
try:
    found = uneven() if mode == "uneven" else steps()
    tell(found, float(total))
except Exception as error:
    tell(type(error).__name__, time.monotonic() - begin)
    sys.exit(3)
