"""The eigenvector panel: its numbers are those of M, and the extremes are what they should be."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn.panels import Eigenvectors
from ukrlearn.sgd.affinity import clustering_affinity

panel = example_of(Eigenvectors)


@pytest.mark.parametrize("h", [0.01, 0.1, 0.3, 3.0])
def test_the_spectrum_is_that_of_the_affinity(panel, h):
    M, values, V = panel.spectrum(h)
    np.testing.assert_array_equal(M, clustering_affinity(panel._Y, h))
    np.testing.assert_allclose(values, np.linalg.eigvalsh(M)[::-1].clip(0), atol=1e-12)
    np.testing.assert_allclose(M @ V, V * values, atol=1e-12)
    np.testing.assert_allclose(V.T @ V, np.eye(len(V)), atol=1e-12)


@pytest.mark.parametrize("h", [0.006, 0.3, 100.0])
def test_the_first_eigenvector_is_the_root_of_the_row_sums_at_every_h(panel, h):
    _, _, V = panel.spectrum(h)
    differences = panel._Y[:, None] - panel._Y
    root = np.sqrt(np.exp(-np.sum(differences**2, axis=2) / h).sum(axis=1))
    np.testing.assert_allclose(V[:, 0], root / np.linalg.norm(root), atol=1e-10)


def test_the_summary_has_the_numbers_of_the_eigenvector(panel):
    panel.set(h=0.3, vector=2)
    M, values, V = panel.spectrum(0.3)
    v = V[:, 1] * np.sqrt(150)
    levels = [v[50 * k : 50 * (k + 1)].mean() for k in range(3)]
    between = np.var(np.repeat(levels, 50)) / v.var()
    said = panel.summary()
    assert said.startswith(f"h = 0.3, eigenvector 2: eigenvalue {values[1]:.3f}.")
    assert ", ".join(f"{level:.2f}" for level in levels) in said
    assert f"{100 * between:.0f} % of the variance" in said and between > 0.95
    assert f"follows number 3 ({values[2]:.3f} to {values[3]:.3f})" in said
    assert f"greatest entry of M is {M.max():.3f}" in said


def test_what_is_drawn_are_the_entries(panel):
    panel.set(vector=3)
    entries = panel._entries.get_offsets()
    np.testing.assert_allclose(entries[:, 1], panel.spectrum(0.3)[2][:, 2] * np.sqrt(150))
    np.testing.assert_allclose(panel._points.get_array(), entries[:, 1])


def test_points_are_sorted_cluster_after_cluster_whatever_their_order():
    random = np.random.RandomState(0)
    shuffled = random.permutation(12)
    labels = np.repeat([2, 0, 1], 4)[shuffled]
    Y = np.column_stack([10.0 * labels, random.normal(size=12)])
    panel = Eigenvectors(Y, labels, order=Y[:, 1])
    assert np.all(np.diff(panel._labels) >= 0)
    for cluster in range(3):
        assert np.all(np.diff(panel._Y[panel._labels == cluster, 1]) > 0)
    panel.close()


def test_with_tiny_h_there_is_no_gap_and_with_huge_h_one_eigenvalue_is_left(panel):
    apart = Eigenvectors(10.0 * np.arange(12).reshape(6, 2), np.arange(6) // 2, h=1e-3)
    assert "they have no gap" in apart.summary()
    apart.close()
    panel.set(h=panel._controls["h"].high)
    assert "the widest gap follows number 1" in panel.summary()


def test_each_h_is_decomposed_once(panel, monkeypatch):
    calls = []
    eigh = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda M: calls.append(1) or eigh(M))
    panel.set(h=0.2)
    for vector in (1, 4, 20):
        panel.set(vector=vector)
    panel.set(h=0.3).set(h=0.2)
    assert len(calls) == 1
