"""Embeddings of tables that exist."""

from __future__ import annotations

import torch

from mindport.evidence.scenarios import Side, scenario


@scenario("torch.nn.Embedding.from_pretrained")
def tables(side: Side) -> object:
    """frozen and learning tables, with and without a padding row"""
    table = side.value(torch.arange(12.0).reshape(4, 3) / 7)
    ids = side.value(torch.tensor([[3, 0], [1, 3]]))
    seen: list[object] = []
    for options in ({}, {"freeze": False}, {"padding_idx": 0}, {"freeze": False, "padding_idx": -1}):
        layer = side.call(table, **options)
        seen += [layer(ids), layer.weight.requires_grad, layer.num_embeddings, layer.embedding_dim, layer.padding_idx]
    return seen
