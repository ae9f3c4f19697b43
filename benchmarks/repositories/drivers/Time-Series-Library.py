import os
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset
from exp import exp_anomaly_detection, exp_classification, exp_imputation, exp_long_term_forecasting
from exp.exp_long_term_forecasting import Exp_Long_Term_Forecast
from probe import attempt, fill, keep, say
from utils.losses import mape_loss, mase_loss, smape_loss

folder = tempfile.mkdtemp()


class Series(Dataset):
    scale = False

    def __init__(self, seed, n):
        rng = np.random.RandomState(seed)
        t = np.arange(n)[:, None]
        self.x = np.sin(t * np.array([0.3, 0.7, 1.1])) + 0.1 * rng.randn(n, 3)
        self.marks = rng.uniform(-0.5, 0.5, (n, 4))

    def __len__(self):
        return len(self.x) - 24 + 1

    def __getitem__(self, i):
        return self.x[i:i + 16], self.x[i + 8:i + 24], self.marks[i:i + 16], self.marks[i + 8:i + 24]


def provider(args, flag):
    data = Series({"train": 0, "val": 1, "test": 2}[flag], 34 if flag == "train" else 28)
    return data, DataLoader(data, batch_size=args.batch_size, shuffle=False, drop_last=False)


exp_long_term_forecasting.data_provider = provider
exp_long_term_forecasting.visual = lambda true, preds, name: None


def run(name, **changes):
    args = SimpleNamespace(task_name="long_term_forecast", model=name, features="M", freq="h", checkpoints=folder, seq_len=16, label_len=8, pred_len=8, inverse=False, expand=2, d_conv=4, top_k=2, num_kernels=2, enc_in=3, dec_in=3, c_out=3, d_model=8, n_heads=2, e_layers=1, d_layers=1, d_ff=8, moving_avg=5, factor=1, distil=True, dropout=0.0, embed="timeF", activation="gelu", channel_independence=1, decomp_method="moving_avg", use_norm=1, down_sampling_layers=1, down_sampling_window=2, down_sampling_method="avg", seg_len=4, train_epochs=2, batch_size=5, patience=2, learning_rate=0.01, lradj="type1", use_amp=False, use_gpu=False, gpu_type="cuda", gpu=0, use_multi_gpu=False, p_hidden_dims=[8, 8], p_hidden_layers=2, use_dtw=False, patch_len=4, node_dim=4, gcn_depth=1, gcn_dropout=0.0, propalpha=0.3, conv_channel=4, skip_channel=4, individual=False, num_class=3, alpha=0.5, top_p=0.5, pos=1, output_attention=False, data="made", seasonal_patterns="Monthly", mask_rate=0.25)
    for key, value in changes.items():
        setattr(args, key, value)
    experiment = Exp_Long_Term_Forecast(args)
    fill(experiment.model)
    model = experiment.train(name)
    experiment.test(name)
    say(name, *np.load("./results/" + name + "/metrics.npy"))
    keep(name, model)


def losses():
    x, y = torch.linspace(0.1, 2, 24).view(2, 12), torch.linspace(1.5, 0.2, 24).view(2, 12)
    y[0, 3] = 0
    mask = torch.ones(2, 12)
    for key, loss in (("mape", mape_loss()), ("smape", smape_loss()), ("mase", mase_loss())):
        z = x.clone().requires_grad_(True)
        value = loss(torch.linspace(0, 3, 40).view(2, 20), 4, z, y, mask)
        value.backward()
        say("loss " + key, value.item(), z.grad.sum().item(), z.grad.abs().max().item())


attempt("losses", losses)
for name in ("TimesNet", "iTransformer", "PatchTST", "DLinear", "TSMixer", "FreTS", "SegRNN", "TimeMixer", "TiDE", "Nonstationary_Transformer", "Crossformer", "FiLM", "MambaSimple", "PAttn", "TimeXer"):
    attempt(name, lambda: run(name))
