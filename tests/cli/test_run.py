"""`tensormill run SCRIPT` is `python SCRIPT`, but for what `import tensorflow` gives."""

from __future__ import annotations

import pytest

# A program that looks at how it was started. Python itself says what is right.
STARTED = '''# -*- coding: utf-8 -*-
"""What I do."""
print("main:", __name__, __package__, __spec__, __doc__, __cached__, sorted(globals()))
import atexit, inspect, pickle, sys
print("arguments:", sys.argv)
print("file:", __file__, type(__loader__).__name__)
x: int = 1
main = sys.modules["__main__"]
print("annotations:", main.__annotations__)
print("search path:", sys.path[0])
import neighbour
class A: x = 1
print("module of a class:", A, main.A is A)
print("pickle:", pickle.loads(pickle.dumps(A())).x)
if __name__ == "__main__": print("guarded")
print("encoding: grüße")
def f(): pass
print("source of a function:", inspect.getsource(f))
atexit.register(print, "end of the process: last words")
'''
# And some that end in ways of their own.
PROGRAMS = {
    "all that it is told": STARTED,
    "standard input": "print(input())",
    "future": "def f(x: undefined): pass",
    "exit code": "import sys; sys.exit(7)",
    "exit without code": "raise SystemExit",
    "exit with a message": "import sys; sys.exit('said on the way out')",
    "error": "def f(x):\n    return 1 / x\n\n\nf(0)\n",
    "error in an error": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    [][0]\n",
    "error with a cause": "try:\n    {}[0]\nexcept KeyError as e:\n    raise OSError('a') from e",
    "end of file": "raise EOFError('no more')",
    "broken pipe": "raise BrokenPipeError(32, 'nobody reads')",
    "group": "raise ExceptionGroup('both', [ValueError(1), TypeError(2)])",
    "syntax error": "x = = 1\n",
    "own hook": "import sys\nsys.excepthook = lambda *a: print('hooked', a[1])\n1 / 0",
}
ARGUMENTS = ["--help", "-m", "--version", "--", "one two", "-x=3"]


@pytest.mark.sampled
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_script_cannot_tell_the_difference(program, script, python, tensormill) -> None:
    script("print('I am the neighbour')", "folder/neighbour.py")
    name = script(PROGRAMS[program], "folder/script.py")

    expected, found = python(name, *ARGUMENTS), tensormill("run", name, *ARGUMENTS)

    assert expected.stdout == found.stdout
    assert expected.stderr == found.stderr
    assert expected.returncode == found.returncode


@pytest.mark.sampled(among="scripts")
def test_import_tensorflow_gives_tensormill(script, tensormill) -> None:
    name = script("import tensorflow as tf\nprint(tf.__name__, float(tf.constant(2.0) * 3.0))")

    assert tensormill("run", name).stdout == "tensorflow 6.0\n"


@pytest.mark.sampled(among="scripts")
@pytest.mark.parametrize("way", ["spawn", "forkserver"])
def test_spawned_processes_know_tensorflow(way, script, tensormill) -> None:
    name = script(
        "import multiprocessing\n"
        "import tensorflow as tf\n"
        "from tensorflow.math import square\n"
        "def work(x): return float(square(tf.constant(x)))\n"
        "if __name__ == '__main__':\n"
        f"    with multiprocessing.get_context({way!r}).Pool(1) as pool:\n"
        "        print(pool.map(work, [3.0]))\n"
    )

    assert tensormill("run", name).stdout == "[9.0]\n"


@pytest.mark.sampled(among="scripts")
def test_programs_that_a_script_starts_know_tensorflow(script, tensormill) -> None:
    script("import tensorflow.nn as nn, tensorflow\nprint(tensorflow.__version__)", "worker.py")
    name = script(
        "import subprocess, sys\nsubprocess.run([sys.executable, 'worker.py'], check=True)\n"
    )

    assert tensormill("run", name).stdout == "2.21.0\n"


@pytest.mark.sampled(among="scripts")
def test_pythons_without_tensormill_find_their_own_tensorflow(tmp_path, script, tensormill) -> None:
    script("print('the real one')", "other/tensorflow.py")
    name = script(
        "import os, subprocess, sys\n"
        "path = os.environ['PYTHONPATH'].split(os.pathsep)[-1] + os.pathsep + 'other'\n"
        "subprocess.run([sys.executable, '-S', '-c', 'import tensorflow'],\n"
        "               env={'PYTHONPATH': path}, check=True)\n"
    )

    assert tensormill("run", name).stdout == "the real one\n"


@pytest.mark.sampled(among="scripts")
def test_a_staged_function_of_a_script_finds_its_source(script, tensormill) -> None:
    name = script(
        "import tensorflow as tf\n"
        "@tf.function\n"
        "def halve(x):\n"
        "    while x > 1.0:\n"
        "        x = x / 2.0\n"
        "    return x\n"
        "print(float(halve(tf.constant(10.0))))\n"
    )

    assert tensormill("run", name).stdout == "0.625\n"


@pytest.mark.sampled(among="scripts")
def test_a_module_runs_as_python_runs_it(script, python, tensormill) -> None:
    script("import sys; print(sys.argv, sys.path[0], __name__, __spec__.name)", "part/task.py")
    arguments = ["-m", "part.task", "-x", "--help"]

    assert python(*arguments).stdout == tensormill("run", *arguments).stdout


@pytest.mark.sampled(among="scripts")
def test_a_package_runs_by_its_main(script, python, tensormill) -> None:
    script("", "part/__init__.py")
    script("print(__package__, __spec__.name)", "part/__main__.py")

    assert python("-m", "part").stdout == tensormill("run", "-m", "part").stdout


@pytest.mark.parametrize("arguments", [["absent.py"], ["-m", "absent"], ["-m", "absent.part"]])
def test_what_is_not_there_is_named(arguments, command) -> None:
    finished = command("run", *arguments)

    assert finished.returncode != 0
    assert finished.stderr.startswith("tensormill: ")
    assert "absent" in finished.stderr


@pytest.mark.sampled(among="scripts")
def test_an_interrupt_ends_the_script(script, tensormill) -> None:
    finished = tensormill("run", script("raise KeyboardInterrupt"))

    assert finished.returncode == 130
    assert finished.stderr.endswith("KeyboardInterrupt\n")
    assert "tensormill" not in finished.stderr


@pytest.mark.sampled(among="scripts")
def test_a_script_has_no_frames_of_the_command_lines_parts_below_it(script, tensormill) -> None:
    name = script(
        "import traceback\n"
        "files = [frame.filename for frame in traceback.extract_stack()]\n"
        "print([file for file in files if 'site-packages' in file])"
    )

    assert tensormill("run", name).stdout == "[]\n"


@pytest.mark.sampled(among="scripts")
def test_an_error_of_a_function_shows_the_users_frames(script, tensormill) -> None:
    name = script(
        "import tensorflow as tf\n"
        "@tf.function\n"
        "def f(x):\n"
        "    return tf.gather([1.0, 2.0], x)\n"
        "f(tf.constant(3))\n"
    )
    finished = tensormill("run", name)

    assert finished.returncode == 1
    assert "return tf.gather([1.0, 2.0], x)" in finished.stderr
    assert "indices = 3 is not in [0, 2)" in finished.stderr
    for foreign in ("typer", "click", "rich", "runpy", "cli/"):
        assert foreign not in finished.stderr


def test_help_before_the_script_is_ours(command) -> None:
    assert "unchanged" in command("run", "--help").stdout
