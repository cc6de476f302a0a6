"""The byte counts of collectives, for each notation of process groups in XLA's HLO."""

import pytest

from opgen.testing.collectives import collectives, moved

LINES = {
    "  %a = f32[8,16]{1,0} all-gather(%x), replica_groups={{0,1,2,3},{4,5,6,7}}, dimensions={0}": (
        "all-gather",
        384,
    ),
    "  ROOT %b = (f32[], f32[4]{0}) all-reduce(%x, %y), replica_groups=[2,4]<=[8], to_apply=%add": (
        "all-reduce",
        30,
    ),
    "  %c = bf16[8]{0} reduce-scatter(%x), replica_groups={{0,1}}, dimensions={0}": (
        "reduce-scatter",
        16,
    ),
    "  %d = s32[8]{0} all-to-all(%x), replica_groups=mesh['i'=4,'j'=2] {'i'}": ("all-to-all", 24),
    "  %e = s32[8]{0} all-to-all(%x), replica_groups=mesh['i'=4] {'i':(1)2}": ("all-to-all", 16),
    "  %g = s32[8]{0} all-to-all(%x), replica_groups=mesh['i'=2,'j'=4], device_ids=([4,2]T(1,0)) {'i'}, metadata={}": (
        "all-to-all",
        16,
    ),
    "  %f = pred[8]{0} collective-permute(%x), source_target_pairs={{0,1},{1,0}}": (
        "collective-permute",
        8,
    ),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: LINES[line][0])
def test_each_kind(line):
    assert list(collectives(line)) == [LINES[line]]


def test_what_is_no_collective_moves_nothing():
    assert moved("  %x = f32[8] add(%all-gather.1, %y)\n  %z = f32[4] fusion(%w)") == 0


def test_groups_that_are_not_known_are_not_guessed():
    with pytest.raises(ValueError, match="not known"):
        moved("  %a = f32[8]{0} all-gather(%x), replica_groups=?")
