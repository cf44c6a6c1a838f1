"""From a function's tree to the tree of its converted form. One file per Python construct."""
