"""What fiasco_reasons.py does to the nodes before it asks again."""

from __future__ import annotations

import fiasco_reasons
import numpy as np
import pytest

from stupidos.literature.fiasco_train import NodeRows


def nodes(clean: int, dirty: int) -> NodeRows:
    table = np.arange(clean + dirty, dtype=np.float64)[:, None]
    return NodeRows(table, np.arange(clean + dirty) < clean, np.zeros(clean + dirty, dtype=np.int64))


@pytest.mark.parametrize(("clean", "dirty", "size"), [(80, 40, 50), (10, 200, 50)])
def test_a_sample_has_the_share_of_clean_nodes_and_is_as_large_as_possible(
    clean: int, dirty: int, size: int
) -> None:
    sample = fiasco_reasons.with_share(nodes(clean, dirty), 0.2)
    assert (len(sample.clean), sample.clean.sum()) == (size, size / 5)
    assert len(np.unique(sample.table)) == size
    assert np.array_equal(sample.clean, sample.table[:, 0] < clean)


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("Table 2", [(0.9113, 0.90, 0.80), (0.9250, 0.90, 0.86), (0.8367, 0.80, 0.63)]),
        ("Table 3", [(0.9576, 0.95, 0.94), (0.7991, 0.83, 0.64), (0.8881, 0.90, 0.82)]),
    ],
)
def test_every_row_of_the_paper_implies_about_the_same_share(
    table: str, rows: list[tuple[float, float, float]]
) -> None:
    shares = [fiasco_reasons.share_of_clean(*row) for row in rows]
    assert max(abs(share - fiasco_reasons.SHARES[table]) for share in shares) < 0.025
