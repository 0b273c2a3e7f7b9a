"""The table of symbols: every name in it exists."""

import pytest

import ukrlearn
from ukrlearn import notation


@pytest.fixture(scope="module")
def fitted():
    Y, _ = ukrlearn.datasets.noisy_spiral(30, random_state=0)
    return ukrlearn.UKR(1, init="pca", max_iter=0).fit(Y)


@pytest.mark.parametrize("row", notation.REGISTRY, ids=lambda row: row.code)
def test_every_name_in_the_table_exists(row, fitted):
    if not row.home:
        return
    first, *rest = row.home.split(".")
    thing = fitted if first == "UKR" else getattr(ukrlearn, first)
    for name in rest:
        fields = getattr(thing, "__dataclass_fields__", {})
        assert hasattr(thing, name) or name in fields, row.home
        thing = getattr(thing, name, None)


def test_names_are_not_doubled():
    codes = [row.code for row in notation.REGISTRY]
    assert len(set(codes)) == len(codes)


def test_every_row_has_a_letter_in_some_paper():
    for row in notation.REGISTRY:
        assert any(getattr(row, paper) for paper in notation.PAPERS), row.code


def test_a_table_shows_the_paper_s_letters():
    shown = notation.table("B", "density_threshold")._repr_markdown_()
    assert r"$\mathbf{B}$" in shown and r"$\eta$" in shown and "`density_threshold`" in shown
    assert len(shown.splitlines()) == 4


@pytest.mark.parametrize("paper", notation.PAPERS)
def test_without_names_a_table_holds_what_the_paper_has_a_letter_for(paper):
    rows = notation.table(paper=paper).rows
    assert rows == tuple(row for row in notation.REGISTRY if getattr(row, paper))
    assert rows


def test_an_unknown_name_lists_those_that_exist():
    with pytest.raises(KeyError, match="the notation has no symbol 'Z'; it has Y, X"):
        notation.table("Z")
    with pytest.raises(ValueError, match="paper must be one of ukr, sgd"):
        notation.table(paper="pca")
