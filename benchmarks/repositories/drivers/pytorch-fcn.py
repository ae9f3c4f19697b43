import sys
import tempfile
import torch
import torchfcn
from probe import array, attempt, fill, keep, quiet, say, whole

sys.path.insert(0, "examples/voc")


class Made(torch.utils.data.Dataset):
    class_names = ["a", "b", "c", "d"]

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return array(index, 3, 40, 48), whole(index, 5, 40, 48) - 1

    def untransform(self, image, label):
        return image.numpy().transpose(1, 2, 0), label.numpy()


def run(name, kind):
    from train_fcn32s import get_parameters

    model = kind(n_class=4)
    fill(model)
    quiet(model)
    optimizer = torch.optim.SGD([{"params": get_parameters(model, bias=False)}, {"params": get_parameters(model, bias=True), "lr": 2e-4, "weight_decay": 0}], lr=1e-4, momentum=0.99, weight_decay=0.0005)
    loader = torch.utils.data.DataLoader(Made(), batch_size=1, shuffle=False)
    folder = tempfile.mkdtemp()
    trainer = torchfcn.Trainer(cuda=False, model=model, optimizer=optimizer, train_loader=loader, val_loader=loader, out=folder, max_iter=3, size_average=name == "8s", interval_validate=2)
    trainer.train()
    with open(folder + "/log.csv") as f:
        for i, line in enumerate(f.read().splitlines()[1:]):
            say(f"{name} {i}", *(v for v in line.split(",")[:-1] if v))
    say(name + " best", trainer.best_mean_iu, trainer.iteration)
    keep(name, model)
    saved = torch.load(folder + "/checkpoint.pth.tar", weights_only=False)
    model.load_state_dict(saved["model_state_dict"])
    optimizer.load_state_dict(saved["optim_state_dict"])
    say(name + " loaded", saved["iteration"], sum(p.abs().sum().item() for p in model.parameters()))


attempt("32s", lambda: run("32s", torchfcn.models.FCN32s))
attempt("8s", lambda: run("8s", torchfcn.models.FCN8sAtOnce))
