import random
import tempfile
import torch
import SpeakerNet as module
from probe import array, attempt, fill, keep, say


class Utterances(torch.utils.data.Dataset):
    def __init__(self, files, path, num_eval, **kwargs):
        self.files, self.num_eval = files, num_eval

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return array(60 + index, self.num_eval, 6400), self.files[index]


module.test_dataset_loader = Utterances


class Speakers(torch.utils.data.Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return 12

    def __getitem__(self, index):
        return array(index, self.count, 6400), index % 5


def run(model, trainfunc, encoder):
    name = f"{model} {trainfunc}"
    count = 1 if trainfunc.endswith("msoftmax") else 2
    options = dict(model=model, optimizer="sgd", trainfunc=trainfunc, nPerSpeaker=count, nOut=16, nClasses=5, encoder_type=encoder, n_mels=40, log_input=True, lr=0.01, weight_decay=1e-4, test_interval=1, max_epoch=3, lr_decay=0.5, margin=0.2, scale=15, hard_rank=0, hard_prob=0)
    net = module.WrappedModel(module.SpeakerNet(**options))
    fill(net)
    trainer = module.ModelTrainer(net, scheduler="steplr", gpu=0, mixedprec=False, **{k: v for k, v in options.items() if k != "model"})
    loader = torch.utils.data.DataLoader(Speakers(count), batch_size=6, shuffle=False)
    for epoch in range(2):
        say(f"{name} {epoch}", *trainer.train_network(loader, False), trainer.__optimizer__.param_groups[0]["lr"])
    keep(f"{model}-{trainfunc}", net)
    folder = tempfile.mkdtemp()
    with open(folder + "/list", "w") as f:
        f.write("1 a b\n0 a c\nb c\n")
    random.seed(1)
    scores, labels, trials = trainer.evaluateFromList(folder + "/list", "", 0, False, num_eval=3)
    say(f"{name} scores", *scores, *labels)
    trainer.saveParameters(folder + "/model", 2)
    with torch.no_grad():
        for p in net.parameters():
            p.add_(1.0)
    say(f"{name} loaded", trainer.loadParameters(folder + "/model"), sum(p.abs().sum().item() for p in net.parameters()))


for loss in ("aamsoftmax", "angleproto", "ge2e", "softmaxproto"):
    attempt("V2 " + loss, lambda: run("ResNetSE34V2", loss, "ASP"))
attempt("L", lambda: run("ResNetSE34L", "amsoftmax", "SAP"))
