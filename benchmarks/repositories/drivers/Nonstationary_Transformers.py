import sys
import types
import numpy as np
import torch
import exp.exp_main as module
from probe import attempt, fill, keep, say


class Windows(torch.utils.data.Dataset):
    def __init__(self, flag, args):
        rng = np.random.RandomState({"train": 1, "val": 2, "test": 3, "pred": 4}[flag])
        self.count = {"train": 14, "val": 6, "test": 4, "pred": 1}[flag]
        self.args = args
        self.values = np.cumsum(rng.randn(60, 5), axis=0)
        self.marks = rng.uniform(-0.5, 0.5, size=(60, 4))

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        a = self.args
        end = i + a.seq_len
        return self.values[i:end], self.values[end - a.label_len : end + a.pred_len], self.marks[i:end], self.marks[end - a.label_len : end + a.pred_len]


def provided(args, flag):
    data = Windows(flag, args)
    return data, torch.utils.data.DataLoader(data, batch_size=1 if flag in ("test", "pred") else args.batch_size, shuffle=False, num_workers=0, drop_last=flag in ("train", "val"))


class Said(module.Exp_Main):
    def _build_model(self):
        model = super()._build_model()
        fill(model, 3)
        return model

    def vali(self, vali_data, vali_loader, criterion):
        loss = super().vali(vali_data, vali_loader, criterion)
        say(f"{self.args.model} vali {len(vali_data)}", loss)
        return loss


def run(name, **options):
    module.data_provider = provided
    args = types.SimpleNamespace(is_training=1, model_id="made", model=name, data="custom", features="M", target="OT", freq="h", checkpoints="./checkpoints/", seq_len=12, label_len=6, pred_len=6, enc_in=5, dec_in=5, c_out=5, d_model=8, n_heads=2, e_layers=2, d_layers=1, d_ff=16, moving_avg=5, factor=1, distil=True, dropout=0.0, embed="timeF", activation="gelu", output_attention=False, batch_size=4, train_epochs=2, patience=3, learning_rate=0.001, lradj="type1", use_amp=False, use_gpu=False, use_multi_gpu=False, gpu=0, devices="0", p_hidden_dims=[8, 8], p_hidden_layers=2)
    vars(args).update(options)
    experiment = Said(args)
    experiment.train("made_" + name)
    keep(name, experiment.model)
    experiment.test("made_" + name)
    say(f"{name} metrics", *np.load(f"./results/made_{name}/metrics.npy").tolist())
    experiment.predict("made_" + name, True)
    say(f"{name} predicted", float(np.abs(np.load(f"./results/made_{name}/real_prediction.npy")).mean()))


attempt("transformer", lambda: run("ns_Transformer"))
attempt("informer", lambda: run("ns_Informer", output_attention=True, e_layers=3))
attempt("autoformer", lambda: run("ns_Autoformer", lradj="type2", learning_rate=0.0005))
