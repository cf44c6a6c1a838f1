from typing import Any
IN_GRAPH = object()
def evaluated(test: Any) -> Any:
    return test()
