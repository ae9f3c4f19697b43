import torch
from model.model_rnn import Dual_RNN_model
from probe import array, attempt, fill, keep, say
from torch.utils.data import DataLoader, Dataset
from trainer.trainer_Dual_RNN import Trainer


class Mixed(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        one, two = array(index, 80), array(index + 10, 80)
        return one + two, [one, two]


def run(name, kind, norm, bidirectional, resume=False):
    model = Dual_RNN_model(8, 6, 5, kernel_size=4, rnn_type=kind, norm=norm, bidirectional=bidirectional, num_layers=2, K=10)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=0)
    loader = DataLoader(Mixed(), batch_size=2)
    opt = {"num_spks": 2, "train": {"epoch": 2, "early_stop": 3, "path": "saved", "gpuid": []}, "logger": {"print_freq": 1, "name": "dprnn"}, "name": name, "resume": {"state": resume, "path": "saved/" + name}, "optim": {"clip_norm": 5}}
    trainer = Trainer(loader, loader, model, optimizer, scheduler, opt)
    trainer.gpuid = []
    for epoch in range(2):
        t_loss, v_loss = trainer.train(epoch), trainer.validation(epoch)
        scheduler.step(v_loss + epoch)
        say("%s %d" % (name, epoch), t_loss, v_loss, optimizer.param_groups[0]["lr"])
    trainer.save_checkpoint(epoch, best=True)
    state = torch.load("saved/%s/best.pt" % name, map_location="cpu")
    model.load_state_dict(state["model_state_dict"])
    keep(name, model)


attempt("lstm", lambda: run("lstm", "LSTM", "ln", True))
attempt("gru", lambda: run("gru", "GRU", "gln", False))
attempt("cumulative", lambda: run("cumulative", "RNN", "cln", True))
