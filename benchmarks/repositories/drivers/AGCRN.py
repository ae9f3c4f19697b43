import os
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
from lib.add_window import Add_Window_Horizon
from lib.dataloader import data_loader, normalize_dataset, split_data_by_ratio
from lib.metrics import All_Metrics, SIGIR_Metrics
from lib.TrainInits import init_seed, print_model_parameters
from model.AGCRN import AGCRN
from model.BasicTrainer import Trainer
from probe import array, attempt, fill, keep, say


def run(name, scaler_kind, column, layers, real):
    init_seed(3)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    data = 5 + np.random.RandomState(0).rand(60, 6, 1) * 9
    data, scaler = normalize_dataset(data, scaler_kind, column)
    loaders = [data_loader(*Add_Window_Horizon(part, 4, 3), 8, shuffle=False, drop_last=False) for part in split_data_by_ratio(data, 0.25, 0.25)]
    args = SimpleNamespace(num_nodes=6, input_dim=1, rnn_units=5, output_dim=1, horizon=3, num_layers=layers, default_graph=True, embed_dim=3, cheb_k=3, log_dir=folder, debug=False, model="AGCRN" + name, dataset="made", teacher_forcing=True, tf_decay_steps=10, real_value=real, grad_norm=True, max_grad_norm=5, log_step=1, lr_decay=True, epochs=2, early_stop=True, early_stop_patience=2, mae_thresh=None, mape_thresh=0.1, device="cpu")
    model = AGCRN(args)
    fill(model)
    print_model_parameters(model, only_num=False)
    optimizer = torch.optim.Adam(params=model.parameters(), lr=0.003, eps=1.0e-8, weight_decay=0, amsgrad=False)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer=optimizer, milestones=[1], gamma=0.3)
    job = Trainer(model, torch.nn.L1Loss(), optimizer, *loaders, scaler, args, lr_scheduler=scheduler)
    job.train()
    say(name + " validation", job.val_epoch(3, loaders[1]), optimizer.param_groups[0]["lr"])
    with open(os.path.join(folder, "run.log")) as log:
        for line in log:
            if "MAE" in line:
                say(f"{name} {line.split(': ', 1)[1].split(',')[0]}", *[float(part.split(": ")[1].rstrip("%\n")) for part in line.split(", ")[1:]])
    y, z = np.load("made_true.npy"), np.load("made_pred.npy")
    say(name + " saved", y.sum(), z.sum(), *y.shape)
    keep(name, model)
    job.save_checkpoint()


def metrics():
    one, two = array(1, 4, 3, 5, 1), array(2, 4, 3, 5, 1).abs() + 0.1
    say("all", *[float(v) for v in All_Metrics(one, two, None, 0.2)])
    say("arrays", *[float(v) for v in All_Metrics(one.numpy(), two.numpy(), 0.1, 0.2)])
    say("sigir", *[float(v) for v in SIGIR_Metrics(one, two, 0.0, 0.0)])


attempt("metrics", metrics)
attempt("std", lambda: run("std", "std", False, 2, False))
attempt("column", lambda: run("column", "max11", True, 1, True))
