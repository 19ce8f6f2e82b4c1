"""What is kept for nodes: by which object a node is, and for as long as it is kept."""

from __future__ import annotations

import gc
import pickle
import weakref

from gdl.core.memo import Memo, Met, PairMemo
from gdl.core.nodes import Get, Slot
from gdl.core.types import NUMBER

SLOT = Slot("n", NUMBER)


def test_equal_nodes_are_told_apart() -> None:
    one, other = Get(SLOT), Get(SLOT)
    assert one == other
    memo = Memo[Get, str]()
    assert memo.keep(one, "one") == "one"
    assert (memo.get(one), memo.get(other)) == ("one", None)
    assert one in memo and other not in memo
    assert (len(memo), list(memo.items())) == (1, [(one, "one")])


def test_what_is_kept_goes_into_a_pickle_with_its_nodes() -> None:
    memo = Memo[Get, str]()
    nodes = [Get(SLOT) for _ in range(3)]
    for number, node in enumerate(nodes):
        memo.keep(node, str(number))
    copied, copies = pickle.loads(pickle.dumps((memo, nodes)))
    assert [copied.get(node) for node in copies] == ["0", "1", "2"]
    assert all(copied.get(node) is None for node in nodes)


def test_what_is_kept_is_worked_out_once_even_if_it_is_none() -> None:
    asked: list[Get] = []
    one = Get(SLOT)
    memo = Memo[Get, None]()
    for _ in range(2):
        memo.of(one, asked.append)
    assert len(asked) == 1


def test_pairs_have_an_order_and_are_dropped_by_what_is_kept() -> None:
    one, other = Get(SLOT), Get(SLOT)
    memo = PairMemo[Get, Get, bool]()
    memo.keep(one, other, True)
    memo.keep(one, one, False)
    assert memo.get(other, one) is None
    assert memo.of(other, one, lambda a, b: a is one) is False
    memo.drop(False)
    assert (memo.get(one, other), memo.get(one, one), memo.get(other, one)) == (True, None, None)


def test_a_node_is_met_once() -> None:
    one, other = Get(SLOT), Get(SLOT)
    met = Met((one,))
    assert not met.add(one)
    assert met.add(other)
    assert not met.add(other)
    assert list(met) == [one, other]


def test_nodes_live_as_long_as_what_is_kept_for_them() -> None:
    gc.freeze()  # what other tests left is not looked at
    memo, pairs, met = Memo[Get, int](), PairMemo[Get, Get, int](), Met[Get]()
    nodes = [Get(SLOT) for _ in range(4)]
    gone = [weakref.ref(node) for node in nodes]
    memo.keep(nodes[0], 1)
    pairs.keep(nodes[1], nodes[2], 2)
    met.add(nodes[3])
    nodes.clear()
    gc.collect()
    assert all(ref() is not None for ref in gone)
    del memo, pairs, met
    gc.collect()
    assert all(ref() is None for ref in gone)
