import sys
import types
import numpy as np
import torch

colours = types.ModuleType("colorful")
colours.use_style = lambda name: None
colours.yellow = colours.cyan = colours.red = str
words = types.ModuleType("toml")
words.dumps, words.dump = str, lambda config, file: None
scores = types.ModuleType("audio_zen.metrics")
scores.REGISTERED_METRICS = {}
sys.modules.update({"colorful": colours, "toml": words, "audio_zen.metrics": scores})

import audio_zen.trainer.base_trainer as base
from audio_zen.loss import mse_loss, si_snr_loss
from probe import array, attempt, fill, keep, say
from recipes.dns_interspeech_2020.fullband_baseline.model import Model as FullBand
from recipes.dns_interspeech_2020.fullsubnet.model import Model
from recipes.dns_interspeech_2020.fullsubnet.trainer import Trainer


class Board:
    def __init__(self, folder, **options):
        pass

    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)

    def add_text(self, **options):
        pass


class Said(Trainer):
    def spec_audio_visualization(self, noisy, enhanced, clean, name, epoch, mark=""):
        say(f"{mark} {name} {epoch}", np.abs(enhanced).mean(), np.abs(noisy - enhanced).mean())

    def metrics_visualization(self, noisy_list, clean_list, enhanced_list, metrics_list, epoch, num_workers=10, mark=""):
        return float(-np.mean([np.mean((c - e) ** 2) for c, e in zip(clean_list, enhanced_list)]))


def run(cell, norm, resumed=False):
    base.SummaryWriter = Board
    config = {"meta": {"use_amp": False, "save_dir": "kept", "experiment_name": cell, "preloaded_model_path": None}, "acoustics": {"n_fft": 64, "hop_length": 32, "win_length": 64, "sr": 16000}, "trainer": {"train": {"epochs": 3 if resumed else 2, "save_checkpoint_interval": 1, "clip_grad_norm_value": 10}, "validation": {"validation_interval": 1, "save_max_metric_score": True}, "visualization": {"n_samples": 1, "num_workers": 0, "metrics": ["STOI"]}}}
    model = Model(num_freqs=33, look_ahead=2, sequence_model=cell, fb_num_neighbors=0, sb_num_neighbors=3, fb_output_activate_function="ReLU", sb_output_activate_function=None, fb_model_hidden_size=14, sb_model_hidden_size=10, norm_type=norm, num_groups_in_drop_band=2, weight_init=False)
    fill(model, 2)
    clean = array(5, 8, 640) * 0.2
    train = [(clean[i:i + 4] + 0.1 * array(6 + i, 4, 640), clean[i:i + 4]) for i in (0, 4)]
    held = [(clean[i:i + 1] + 0.1 * array(9 + i, 1, 640), clean[i:i + 1], [f"n{i}"], ["No_reverb" if i % 2 else "With_reverb"]) for i in range(4)]
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.999))
    trainer = Said(types.SimpleNamespace(barrier=lambda: None), 0, config, resumed, False, model, mse_loss(), optimizer, train, held)
    trainer.train()
    keep(f"{cell} {resumed}", model)
    return model, clean


def whole():
    model, clean = run("LSTM", "offline_laplace_norm")
    run("LSTM", "offline_laplace_norm", True)
    say("si snr", si_snr_loss()(clean + 0.1 * array(3, 8, 640), clean).item())


attempt("lstm", whole)
attempt("gru", lambda: run("GRU", "cumulative_laplace_norm"))
