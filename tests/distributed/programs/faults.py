"""Two workers exchange tensors until something is wrong with one of them, named by the argument."""

import json
import os
import signal
import sys
import time

import tensorflow as tf

mode, seconds = sys.argv[1], float(sys.argv[2])
task = json.loads(os.environ["TF_CONFIG"]).get("task", {})
is_second = task.get("index") == 1
begin = time.monotonic()


def tell(*values):
    print(json.dumps(values), flush=True)


def disturb(step):
    """Once ten steps went well the second worker does something else."""
    if not is_second or step != 10:
        return 3
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "left":
        sys.exit()
    if mode == "silent":
        time.sleep(2 * seconds)
    return 4 if mode == "other shape" else 3


try:
    options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=seconds or None)
    strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)

    @tf.function
    def total(rows):
        context = tf.distribute.get_replica_context
        return strategy.run(lambda: context().all_reduce("SUM", tf.ones([rows])))

    for step in range(20):
        rows = disturb(step)
        begin = time.monotonic()
        if mode == "other operation" and is_second and step == 10:
            strategy.gather(tf.ones([3]), axis=0)
        total(tf.constant(rows))
    tell("ended")
except Exception as error:
    tell(type(error).__name__, time.monotonic() - begin, str(error))
