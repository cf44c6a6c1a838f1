"""What each construct becomes: source in, source out."""

from __future__ import annotations

import linecache
import textwrap
from itertools import count
from typing import Any

import pytest

from tensormill.autograph.conversion import converted_source
from tensormill.autograph.errors import ConversionError

_numbers = count()


def converted(text: str) -> str:
    """The converted form of the function `f` of a text."""
    file, text = f"<converted {next(_numbers)}>", textwrap.dedent(text).lstrip("\n")
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {}
    exec(compile(text, file, "exec"), scope)
    return converted_source(scope["f"].__code__)


def check(text: str, expected: str) -> None:
    assert textwrap.dedent(expected).lstrip("\n") == converted(text)


def test_branches_become_functions() -> None:
    check(
        """
        def f(x, n: int=2):
            if x > n:
                y = 1
            else:
                t = x
                y = t
            return y
        """,
        """
        def tf__f(x, n: int=2):
            y: object

            def if_body():
                nonlocal y
                y = 1

            def else_body():
                nonlocal y
                t = x
                y = t
            ag__.if_stmt(x > n, if_body, else_body, state=lambda: (y,))
            return y
        """,
    )


def test_a_variable_read_before_it_is_bound_in_a_branch_is_scratch() -> None:
    check(
        """
        def f(x):
            if x:
                x = x + 1
                print(x)
        """,
        """
        def tf__f(x):

            def if_body():
                nonlocal x
                x = x + 1
                ag__.converted(print)(x)
            ag__.if_stmt(x, if_body, scratch=lambda: (x,))
        """,
    )


def test_both_returns_of_an_if_need_no_flag() -> None:
    check(
        """
        def f(x):
            if x:
                return 1
            return 2
        """,
        """
        def tf__f(x):
            retval_: object

            def if_body():
                nonlocal retval_
                retval_ = 1

            def else_body():
                nonlocal retval_
                retval_ = 2
            ag__.if_stmt(x, if_body, else_body, state=lambda: (retval_,))
            return retval_
        """,
    )


def test_a_return_in_a_loop_becomes_a_break() -> None:
    check(
        """
        def f(xs):
            for x in xs:
                if x:
                    return x
            return 0
        """,
        """
        def tf__f(xs):
            do_return = False
            retval_ = ag__.NO_VALUE
            break_ = False

            def for_body(item_):
                nonlocal break_, do_return, retval_
                x = item_

                def if_body():
                    nonlocal break_, do_return, retval_
                    retval_ = x
                    do_return = True
                    break_ = True
                ag__.if_stmt(x, if_body, state=lambda: (break_, do_return, retval_), \
returned=lambda: (do_return,))
            ag__.for_stmt(xs, for_body, test=lambda: ag__.not_(break_), \
state=lambda: (break_, do_return, retval_), returned=lambda: (do_return,))

            def if_body():
                nonlocal retval_
                retval_ = 0
                do_return = True
            ag__.if_stmt(ag__.not_(do_return), if_body, state=lambda: (retval_,))
            return retval_
        """,
    )


def test_a_function_may_end_without_a_return() -> None:
    check(
        """
        def f(x):
            if x:
                return 1
        """,
        """
        def tf__f(x):
            do_return = False
            retval_ = ag__.NO_VALUE

            def if_body():
                nonlocal do_return, retval_
                retval_ = 1
                do_return = True
            ag__.if_stmt(x, if_body, state=lambda: (do_return, retval_), \
returned=lambda: (do_return,))
            return ag__.returned(do_return, retval_, 'else')
        """,
    )


def test_the_else_of_a_loop_asks_the_flag() -> None:
    check(
        """
        def f(x):
            while x:
                x -= 1
                if x == 2:
                    break
            else:
                x = 9
            return x
        """,
        """
        def tf__f(x):
            break_ = False

            def while_body():
                nonlocal break_, x
                x -= 1

                def if_body():
                    nonlocal break_
                    break_ = True
                ag__.if_stmt(x == 2, if_body, state=lambda: (break_,))
            ag__.while_stmt(lambda: ag__.and_(ag__.not_(break_), lambda: x), while_body, \
state=lambda: (break_, x))

            def if_body():
                nonlocal x
                x = 9
            ag__.if_stmt(ag__.not_(break_), if_body, state=lambda: (x,))
            return x
        """,
    )


def test_continue_needs_no_flag_where_the_if_decides() -> None:
    check(
        """
        def f(xs):
            s = 0
            for s.v, x in xs:
                if x:
                    continue
                s += x
            return s
        """,
        """
        def tf__f(xs):
            s = 0

            def for_body(item_):
                nonlocal s
                s.v, x = item_

                def if_body():
                    pass

                def else_body():
                    nonlocal s
                    s += x
                ag__.if_stmt(x, if_body, else_body, state=lambda: (s,))
            ag__.for_stmt(xs, for_body, state=lambda: (s,))
            return s
        """,
    )


def test_a_test_that_binds_moves_into_the_loop() -> None:
    assert "while_stmt(lambda: ag__.not_(break_), while_body" in converted(
        """
        def f(xs):
            while (x := xs.pop()):
                pass
            return x
        """
    )


def test_expressions() -> None:
    check(
        """
        def f(a, b, c, g):
            x = a if b else c if a else g
            y = a and b and (z := g(c)) or not c
            return 0 < a <= g(b), x, [v if v else y for v in c]
        """,
        """
        def tf__f(a, b, c, g):
            z: object
            x = ag__.if_exp(b, lambda: a, lambda: ag__.if_exp(a, lambda: c, lambda: g, 'a'), 'b')
            y = ag__.or_(ag__.and_(a, lambda: b, lambda: ag__.assign(lambda: z, \
ag__.converted(g)(c)), bound=lambda: (z,)), lambda: ag__.not_(c))
            return (ag__.compared(0, '<', lambda: a, '<=', lambda: ag__.converted(g)(b)), x, \
ag__.comprehension(c, '[v if v else y for v in c]', lambda items, wanted: \
[ag__.if_exp(v, lambda: v, lambda: y, 'v') for v in items]))
        """,
    )


def test_assertions() -> None:
    check(
        """
        def f(x):
            assert x > 0
            assert x, g(x)
        """,
        """
        def tf__f(x):
            ag__.assert_stmt(x > 0)
            ag__.assert_stmt(x, lambda: ag__.converted(g)(x))
        """,
    )


def test_attributes_items_globals_and_containers_are_named() -> None:
    check(
        """
        def f(o, d, k, c):
            global g
            if c:
                o.v = 1
                d[k] = 2
                g = 3
                o.log.append(c)
        """,
        """
        def tf__f(o, d, k, c):
            global g

            def if_body():
                global g
                o.v = 1
                ag__.set_items(2, (lambda: d, lambda: k))
                g = 3
                ag__.converted(o.log.append)(c)
            ag__.if_stmt(c, if_body, places=(ag__.attribute('o.v', lambda: o, 'v'), \
ag__.item('d[k]', lambda: (d, k)), ag__.module_name('g', if_body)), \
watched=(ag__.watched_container('o.log', lambda: o.log, 7, False),), \
lent=lambda: (c, d, o))
        """,
    )


def test_loop_options_are_taken_out_of_the_body() -> None:
    check(
        """
        def f(x):
            while x:
                tf.autograph.experimental.set_loop_options(maximum_iterations=x)
                x = x - 1
            return x
        """,
        """
        def tf__f(x):

            def while_body():
                nonlocal x
                x = x - 1
            ag__.while_stmt(lambda: x, while_body, \
options=lambda: ag__.loop_options(maximum_iterations=x), state=lambda: (x,))
            return x
        """,
    )


def test_inner_functions_are_converted_and_generators_are_not() -> None:
    check(
        '''
        def f(x):
            """Text."""
            @decorator(x)
            def g(y=h(x)):
                return y if x else 0
            def numbers():
                yield x if x else 0
            class C(B):
                size = x if x else 0
                def m(self):
                    return super().m() and x
            return g
        ''',
        '''
        def tf__f(x):
            """Text."""

            @decorator(x)
            def g(y=ag__.converted(h)(x)):
                return ag__.if_exp(x, lambda: y, lambda: 0, 'x')

            def numbers():
                yield (x if x else 0)

            class C(B):
                size = x if x else 0

                def m(self):
                    return ag__.and_(ag__.converted(super(__class__, self).m)(), lambda: x)
            return g
        ''',
    )


def test_new_names_avoid_those_in_use() -> None:
    code = converted(
        """
        def f(if_body, break_, item_):
            for x in break_:
                if x:
                    break
            return if_body, item_
        """
    )

    assert "def if_body_1():" in code
    assert "break__1 = False" in code
    assert "def for_body(item__1):" in code


def test_lambdas_stay_lambdas() -> None:
    check(
        "f = lambda x, y=3: x if y else 0",
        "tf__lam = lambda x, y=3: ag__.if_exp(y, lambda: x, lambda: 0, 'y')\n",
    )


def test_jumps_out_of_finally_and_out_of_its_try_are_refused() -> None:
    with pytest.raises(ConversionError, match="line 5: `return`, `break` and `continue` may"):
        converted(
            """
            def f(x):
                try:
                    return x()
                finally:
                    return 1
            """
        )


def test_jumps_out_of_finally_stand_behind_it() -> None:
    check(
        """
        def f(x):
            try:
                x()
            finally:
                return 1
        """,
        """
        def tf__f(x):
            error_ = None
            try:
                ag__.converted(x)()
            except BaseException as caught_:
                error_ = caught_
            retval_ = 1
            return retval_
        """,
    )
