"""What `import tensorflow` finds in processes that a script of `tensormill run` starts.

This folder is on their search path (`tensormill/cli/children.py`); nobody else imports it.
"""

import sys
from importlib import import_module, util
from pathlib import Path

del sys.modules[__name__]
if util.find_spec("tensormill") is None:  # another Python, which may have TensorFlow itself
    sys.path[:] = [one for one in sys.path if Path(one) != Path(__file__).parent]
    import_module(__name__)
else:
    import_module("tensormill.compat").install()
