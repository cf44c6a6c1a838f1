# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.flags`: flags on the command line, by absl."""

from typing import Any as _Any
from ..version_one.programs import FLAGS as FLAGS

__all__ = ['DEFINE_bool', 'DEFINE_boolean', 'DEFINE_enum', 'DEFINE_float', 'DEFINE_integer', 'DEFINE_list', 'DEFINE_multi_integer', 'DEFINE_multi_string', 'DEFINE_string', 'FLAGS', 'mark_flag_as_required']

def DEFINE_bool(name: _Any, default: _Any, help: _Any, flag_values: _Any = ..., module_name: _Any = None, required: _Any = False, **args: _Any) -> _Any:
    """Registers a boolean flag.

    Such a boolean flag does not take an argument.  If a user wants to
    specify a false value explicitly, the long option beginning with 'no'
    must be used: i.e. --noflag

    This flag will have a value of None, True or False.  None is possible
    if default=None and the user does not specify the flag on the command
    line.

    Args:
      name: str, the flag name.
      default: bool|str|None, the default value of the flag.
      help: str, the help message.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      module_name: str, the name of the Python module declaring this flag. If not
        provided, it will be computed using the stack trace of this call.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: dict, the extra keyword args that are passed to ``Flag.__init__``.

    Returns:
      a handle to defined flag."""

def DEFINE_boolean(name: _Any, default: _Any, help: _Any, flag_values: _Any = ..., module_name: _Any = None, required: _Any = False, **args: _Any) -> _Any:
    """Registers a boolean flag.

    Such a boolean flag does not take an argument.  If a user wants to
    specify a false value explicitly, the long option beginning with 'no'
    must be used: i.e. --noflag

    This flag will have a value of None, True or False.  None is possible
    if default=None and the user does not specify the flag on the command
    line.

    Args:
      name: str, the flag name.
      default: bool|str|None, the default value of the flag.
      help: str, the help message.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      module_name: str, the name of the Python module declaring this flag. If not
        provided, it will be computed using the stack trace of this call.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: dict, the extra keyword args that are passed to ``Flag.__init__``.

    Returns:
      a handle to defined flag."""

def DEFINE_enum(name: _Any, default: _Any, enum_values: _Any, help: _Any, flag_values: _Any = ..., module_name: _Any = None, required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value can be any string from enum_values.

    Instead of a string enum, prefer `DEFINE_enum_class`, which allows
    defining enums from an `enum.Enum` class.

    Args:
      name: str, the flag name.
      default: str|None, the default value of the flag.
      enum_values: [str], a non-empty list of strings with the possible values for
        the flag.
      help: str, the help message.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      module_name: str, the name of the Python module declaring this flag. If not
        provided, it will be computed using the stack trace of this call.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: dict, the extra keyword args that are passed to ``Flag.__init__``.

    Returns:
      a handle to defined flag."""

def DEFINE_float(name: _Any, default: _Any, help: _Any, lower_bound: _Any = None, upper_bound: _Any = None, flag_values: _Any = ..., required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value must be a float.

    If ``lower_bound`` or ``upper_bound`` are set, then this flag must be
    within the given range.

    Args:
      name: str, the flag name.
      default: float|str|None, the default value of the flag.
      help: str, the help message.
      lower_bound: float, min value of the flag.
      upper_bound: float, max value of the flag.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: dict, the extra keyword args that are passed to :func:`DEFINE`.

    Returns:
      a handle to defined flag."""

def DEFINE_integer(name: _Any, default: _Any, help: _Any, lower_bound: _Any = None, upper_bound: _Any = None, flag_values: _Any = ..., required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value must be an integer.

    If ``lower_bound``, or ``upper_bound`` are set, then this flag must be
    within the given range.

    Args:
      name: str, the flag name.
      default: int|str|None, the default value of the flag.
      help: str, the help message.
      lower_bound: int, min value of the flag.
      upper_bound: int, max value of the flag.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: dict, the extra keyword args that are passed to :func:`DEFINE`.

    Returns:
      a handle to defined flag."""

def DEFINE_list(name: _Any, default: _Any, help: _Any, flag_values: _Any = ..., required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value is a comma-separated list of strings.

    The flag value is parsed with a CSV parser.

    Args:
      name: str, the flag name.
      default: list|str|None, the default value of the flag.
      help: str, the help message.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: Dictionary with extra keyword args that are passed to the
        ``Flag.__init__``.

    Returns:
      a handle to defined flag."""

def DEFINE_multi_integer(name: _Any, default: _Any, help: _Any, lower_bound: _Any = None, upper_bound: _Any = None, flag_values: _Any = ..., required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value can be a list of arbitrary integers.

    Use the flag on the command line multiple times to place multiple
    integer values into the list.  The 'default' may be a single integer
    (which will be converted into a single-element list) or a list of
    integers.

    Args:
      name: str, the flag name.
      default: Union[Iterable[int], str, None], the default value of the flag; see
        `DEFINE_multi`.
      help: str, the help message.
      lower_bound: int, min values of the flag.
      upper_bound: int, max values of the flag.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: Dictionary with extra keyword args that are passed to the
        ``Flag.__init__``.

    Returns:
      a handle to defined flag."""

def DEFINE_multi_string(name: _Any, default: _Any, help: _Any, flag_values: _Any = ..., required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value can be a list of any strings.

    Use the flag on the command line multiple times to place multiple
    string values into the list.  The 'default' may be a single string
    (which will be converted into a single-element list) or a list of
    strings.


    Args:
      name: str, the flag name.
      default: Union[Iterable[str], str, None], the default value of the flag; see
        :func:`DEFINE_multi`.
      help: str, the help message.
      flag_values: :class:`FlagValues`, the FlagValues instance with which the
        flag will be registered. This should almost never need to be overridden.
      required: bool, is this a required flag. This must be used as a keyword
        argument.
      **args: Dictionary with extra keyword args that are passed to the
        ``Flag.__init__``.

    Returns:
      a handle to defined flag."""

def DEFINE_string(name: _Any, default: _Any, help: _Any, flag_values: _Any = ..., required: _Any = False, **args: _Any) -> _Any:
    """Registers a flag whose value can be any string."""

def mark_flag_as_required(flag_name: _Any, flag_values: _Any = ...) -> _Any:
    """Ensures that flag is not None during program execution.

    Registers a flag validator, which will follow usual validator rules.
    Important note: validator will pass for any non-``None`` value, such as
    ``False``, ``0`` (zero), ``''`` (empty string) and so on.

    If your module might be imported by others, and you only wish to make the flag
    required when the module is directly executed, call this method like this::

        if __name__ == '__main__':
          flags.mark_flag_as_required('your_flag_name')
          app.run()

    Args:
      flag_name: str | FlagHolder, name or holder of the flag. Positional-only
        parameter.
      flag_values: flags.FlagValues, optional :class:`~absl.flags.FlagValues`
        instance where the flag is defined.

    Raises:
      AttributeError: Raised when flag_name is not registered as a valid flag
          name.
      ValueError: Raised when flag_values is non-default and does not match the
          FlagValues of the provided FlagHolder instance."""
