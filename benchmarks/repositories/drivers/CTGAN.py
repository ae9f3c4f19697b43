import os
import numpy as np
import torch
import ctgan.synthesizers.ctgan as gan
import ctgan.synthesizers.tvae as vae
from ctgan.data_transformer import ColumnTransformInfo, SpanInfo
from probe import attempt, fill, keep, quiet, say


class Transformer:
    """A continuous column as its value and its mode's one-hot vector, a discrete one as a one-hot vector."""

    def fit(self, data, discrete=()):
        self.discrete = set(discrete)
        self.sizes = [int(data[:, i].max()) + 1 for i in range(data.shape[1])]
        self.output_info_list = [[SpanInfo(self.sizes[i], "softmax")] if i in self.discrete else [SpanInfo(1, "tanh"), SpanInfo(2, "softmax")] for i in range(data.shape[1])]
        self.output_dimensions = sum(s.dim for column in self.output_info_list for s in column)

    def transform(self, data):
        parts = []
        for i in range(data.shape[1]):
            if i in self.discrete:
                parts.append(np.eye(self.sizes[i])[data[:, i].astype(int)])
            else:
                parts.append(np.tanh(data[:, [i]]))
                parts.append(np.eye(2)[(data[:, i] > 0).astype(int)])
        return np.concatenate(parts, axis=1).astype(float)

    def inverse_transform(self, data, sigmas=None):
        return data

    def convert_column_name_value_to_id(self, column, value):
        return {"discrete_column_id": 0, "column_id": 2, "value_id": value}


gan.DataTransformer = vae.DataTransformer = Transformer


def data():
    rng = np.random.RandomState(0)
    return np.concatenate([rng.randn(40, 2), rng.randint(0, 3, (40, 1)), rng.randint(0, 2, (40, 1))], axis=1)


def ctgan(name, **options):
    np.random.seed(0)
    model = gan.CTGAN(embedding_dim=6, generator_dim=(8, 7), discriminator_dim=(9,), batch_size=20, epochs=2, enable_gpu=False, generator_lr=2e-3, discriminator_lr=2e-3, **options)
    model.fit(data(), discrete_columns=(2, 3))
    keep(name, model._generator)
    for p in model._generator.parameters():
        say(name + " parameter", p.sum().item(), p.abs().sum().item())
    np.random.seed(1)
    sampled = model.sample(10)
    say(name + " sample", *sampled[:3].flatten())
    say(name + " sample of", *model.sample(10, "x", 1)[0])


def tvae():
    np.random.seed(0)
    model = vae.TVAE(embedding_dim=5, compress_dims=(8, 7), decompress_dims=(7, 8), batch_size=20, epochs=2, enable_gpu=False)
    model.fit(data(), discrete_columns=(2, 3))
    keep("tvae", model.decoder)
    np.random.seed(1)
    say("tvae sample", *model.sample(12)[:3].flatten())


attempt("ctgan", lambda: ctgan("ctgan"))
attempt("pac", lambda: ctgan("pac", pac=4, discriminator_steps=2, log_frequency=False))
attempt("tvae", tvae)
