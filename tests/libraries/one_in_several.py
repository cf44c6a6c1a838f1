"""For pytest, `-p one_in_several`: runs one in several tests of folders whose tests take hours.

ONE_IN_SEVERAL says by JSON how many, by what the ids of tests begin with.
"""

import json
import os
from collections import Counter


def pytest_collection_modifyitems(items):
    wanted = json.loads(os.environ["ONE_IN_SEVERAL"])
    seen = Counter()

    def is_its_turn(item):
        place = max((one for one in wanted if item.nodeid.startswith(one)), key=len, default=None)
        if place is None:
            return True
        seen[place] += 1
        return not seen[place] % wanted[place]

    items[:] = [item for item in items if is_its_turn(item)]
