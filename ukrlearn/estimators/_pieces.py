"""New data that dask holds in pieces: each piece is placed where and when dask computes it."""

import numpy as np
from sklearn import get_config


def in_pieces(Y):
    """Whether Y is an array or a data frame of dask, whose rows may be anywhere."""
    return hasattr(Y, "__dask_graph__")


def placed(model, Y):
    """`model.transform(Y)` as a lazy array, or as a lazy data frame if Y is one.

    Rows do not influence each other, so the numbers do not depend on the pieces.
    """
    from dask import delayed

    width, columns = model.n_features_in_, getattr(Y, "shape", ())[1:]
    if columns != (width,):
        raise ValueError(
            f"Y must have the {width} columns of the fit; dask's Y has {[*columns]}. Choose them."
        )
    wanted = getattr(model, "_sklearn_output_config", {}).get("transform")
    if (wanted or get_config()["transform_output"]) != "default":
        raise ValueError(
            "dask's Y gives dask's array or data frame, and no other container; call "
            'set_output(transform="default").'
        )
    shared = delayed(model, traverse=False)  # sent to each worker once, not with each piece
    names = model.get_feature_names_out()
    if hasattr(Y, "map_partitions"):
        return Y.map_partitions(_frame, shared, meta=dict.fromkeys(names, float))
    chunks, nothing = (Y.chunks[0], (len(names),)), np.empty((0, len(names)))
    return Y.rechunk({1: -1}).map_blocks(_rows, shared, chunks=chunks, meta=nothing)


def _rows(Y, model):
    return model.transform(Y) if len(Y) else np.empty((0, model.embedding_.shape[1]))


def _frame(Y, model):
    columns = zip(model.get_feature_names_out(), _rows(Y, model).T, strict=True)
    return Y.iloc[:, :0].assign(**dict(columns))
