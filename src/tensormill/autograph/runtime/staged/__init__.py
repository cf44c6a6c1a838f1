"""What each construct of Python becomes where a tensor decides: a part of the graph."""
