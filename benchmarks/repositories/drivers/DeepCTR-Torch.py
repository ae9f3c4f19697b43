import numpy as np
import torch
from deepctr_torch.inputs import DenseFeat, SparseFeat, VarLenSparseFeat, get_feature_names
from deepctr_torch.models import AFM, AFN, AutoInt, CCPM, DCN, DCNMix, DeepFM, DIEN, DIFM, DIN, FiBiNET, IFM, MLR, NFM, ONN, PNN, WDL, xDeepFM
from deepctr_torch.models import basemodel
from deepctr_torch.models.multitask import ESMM, MMOE, PLE, SharedBottom
from probe import attempt, fill, keep, quiet, say

N = 24


class History:
    """Keras's, as much as is read here."""

    def __init__(self):
        self.history = {}


class Callbacks:
    def __init__(self, callbacks):
        self.model, self.logs = None, callbacks[-1].history

    def set_model(self, model):
        self.model = model

    def on_train_begin(self):
        self.model.stop_training = False

    def on_epoch_begin(self, epoch):
        pass

    def on_epoch_end(self, epoch, logs):
        for key, value in logs.items():
            self.logs.setdefault(key, []).append(value)

    def on_train_end(self):
        pass


class Bar:
    def __init__(self, steps, disable=False):
        self.steps = steps

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __iter__(self):
        return iter(self.steps)

    def close(self):
        pass


basemodel.CallbackList, basemodel.tqdm = Callbacks, Bar


def data():
    rng = np.random.RandomState(0)
    columns = [SparseFeat("c%d" % i, 5 + i, embedding_dim=4) for i in range(3)] + [DenseFeat("d0", 1), DenseFeat("d1", 2)]
    columns.append(VarLenSparseFeat(SparseFeat("tags", 6, embedding_dim=4), maxlen=4, combiner="mean"))
    x = {"c%d" % i: rng.randint(0, 5 + i, N) for i in range(3)}
    x.update({"d0": rng.rand(N), "d1": rng.rand(N, 2), "tags": rng.randint(0, 6, (N, 4))})
    return columns, {n: x[n] for n in get_feature_names(columns)}, rng.randint(0, 2, N)


def train(name, model, x, y, optimizer="adam", loss="binary_crossentropy"):
    fill(model)
    quiet(model)
    model.history = History()
    model.compile(optimizer, loss, metrics=[])
    history = model.fit(x, y, batch_size=8, epochs=2, verbose=0, shuffle=False)
    say(name, *history.history["loss"])
    say(name + " predict", float(np.abs(model.predict(x, 10)).sum()))
    keep(name, model)


def plain(name, cls, **options):
    columns, x, y = data()
    columns = columns[: {"AFM": 3, "CCPM": 3, "PNN": 5, "ONN": 5, "FiBiNET": 5}.get(name, 9)]
    x = {n: x[n] for n in get_feature_names(columns)}
    first = () if name == "PNN" else (columns,)
    train(name, cls(*first, columns, task="binary", device="cpu", **options), x, y, {"DCN": "adagrad", "MLR": "rmsprop", "NFM": "sgd"}.get(name, "adam"))


def mlr():
    columns, x, y = data()
    train("MLR", MLR(columns, region_num=2, device="cpu"), x, y, "rmsprop")


def sequence(name, make):
    columns = [SparseFeat("user", 3, embedding_dim=8), SparseFeat("item", 4, embedding_dim=8), DenseFeat("score", 1), VarLenSparseFeat(SparseFeat("hist_item", 4, embedding_dim=8), 4, length_name="seq_length")]
    x = {"user": np.array([0, 1, 2]), "item": np.array([1, 2, 3]), "hist_item": np.array([[1, 2, 3, 0], [1, 2, 3, 1], [1, 2, 0, 0]]), "score": np.array([0.1, 0.2, 0.3]), "seq_length": np.array([3, 4, 2])}
    train(name, make(columns), {n: x[n] for n in get_feature_names(columns)}, np.array([1, 0, 1]), "adagrad")


def several(name, cls, **options):
    columns, x, y = data()
    train(name, cls(columns, task_types=["binary", "binary"], device="cpu", **options), x, np.stack([y, 1 - y], 1), "adam", ["binary_crossentropy", "binary_crossentropy"])


SIZES = {"dnn_hidden_units": (8, 4)}
for name, cls, options in [("WDL", WDL, SIZES), ("DeepFM", DeepFM, SIZES), ("AFM", AFM, {}), ("AFN", AFN, {"ltl_hidden_size": 6, "afn_dnn_hidden_units": (8, 4)}), ("AutoInt", AutoInt, {"att_layer_num": 2, **SIZES}), ("CCPM", CCPM, {"conv_kernel_width": (3, 2), "conv_filters": (2, 1), **SIZES}), ("DCN", DCN, {"cross_num": 2, **SIZES}), ("DCNMix", DCNMix, {"cross_num": 2, "low_rank": 4, **SIZES}), ("DIFM", DIFM, SIZES), ("FiBiNET", FiBiNET, SIZES), ("IFM", IFM, SIZES), ("NFM", NFM, SIZES), ("ONN", ONN, SIZES), ("PNN", PNN, {"use_outter": True, **SIZES}), ("xDeepFM", xDeepFM, {"cin_layer_size": (6, 4), **SIZES})]:
    attempt(name, lambda name=name, cls=cls, options=options: plain(name, cls, **options))
attempt("MLR", mlr)
attempt("DIN", lambda: sequence("DIN", lambda c: DIN(c, ["item"], dnn_hidden_units=(8, 4), att_hidden_size=(6,), device="cpu", att_weight_normalization=True)))
attempt("DIEN", lambda: sequence("DIEN", lambda c: DIEN(c, ["item"], dnn_hidden_units=(8, 4), gru_type="AUGRU", use_negsampling=False, device="cpu")))
SMALL = {"tower_dnn_hidden_units": (4,)}
attempt("SharedBottom", lambda: several("SharedBottom", SharedBottom, bottom_dnn_hidden_units=(8,), **SMALL))
attempt("ESMM", lambda: several("ESMM", ESMM, tower_dnn_hidden_units=(4,)))
attempt("MMOE", lambda: several("MMOE", MMOE, num_experts=2, expert_dnn_hidden_units=(6,), gate_dnn_hidden_units=(4,), **SMALL))
attempt("PLE", lambda: several("PLE", PLE, num_levels=2, expert_dnn_hidden_units=(6,), gate_dnn_hidden_units=(4,), **SMALL))
