import numpy as np
import torch
from model.DeepFM import DeepFM

from probe import attempt, fill, keep, say


def data(seed, n):
    r = np.random.RandomState(seed)
    index = np.stack([r.randint(0, size, n) for size in SIZES], 1)
    return index.tolist(), np.ones((n, 3)).tolist(), r.randint(0, 2, n).tolist()


SIZES = [5, 7, 4]


def run(kind, **more):
    model = kind(3, SIZES, embedding_size=4, n_epochs=2, batch_size=6, verbose=False, use_cuda=False, weight_decay=0.0, learning_rate=0.01, random_seed=1, **more)
    fill(model)
    model.fit(*data(1, 16), *data(2, 8), ealry_stopping=True, save_path="./saved.model")
    name = kind.__name__ + "".join(f" {k}" for k in more if more[k] is True)
    keep(name.replace(" ", "_"), model)
    index, value, label = (np.array(v) for v in data(2, 8))
    say(name, *model.predict_proba(index.reshape(-1, 3, 1), value), model.evaluate(torch.LongTensor(index.reshape(-1, 3, 1)), torch.FloatTensor(value), torch.FloatTensor(label)))
    say(name + " batches", *model.eval_by_batch(index.reshape(-1, 3, 1), value, label, 8))


for kind, more in (
    (DeepFM, dict(is_shallow_dropout=False, is_deep_dropout=False, deep_layers=[8, 6], is_batch_norm=True)),
    (DeepFM, dict(is_shallow_dropout=False, is_deep_dropout=False, deep_layers=[8, 6], use_fm=False, use_ffm=True)),
):
    attempt(kind.__name__, lambda: run(kind, **more))
