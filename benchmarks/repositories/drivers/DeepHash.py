import importlib
import os
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset
from utils.tools import CalcTopMap, CalcTopMapWithPR, compute_result, validate
from probe import array, attempt, fill, keep, say, whole


class Images(Dataset):
    def __init__(self, seed, count):
        self.images = array(seed, count, 12)
        self.labels = (array(seed + 1, count, 4) > 0.3).float()
        self.labels[:, 0] = (self.labels.sum(1) == 0).float()

    def __getitem__(self, index):
        return self.images[index], self.labels[index], index

    def __len__(self):
        return len(self.images)


class Net(nn.Module):
    def __init__(self, bit):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 16), nn.ReLU(inplace=True), nn.Linear(16, bit))

    def forward(self, x):
        return self.layers(x)


def run(name, loss_name, **more):
    module = importlib.import_module(name)
    config = module.get_config()
    config.update(n_class=4, num_train=20, device=torch.device("cpu"), topK=-1, dataset="coco", info="[%s]" % name, batch_size=8, **more)
    module.config, bit = config, 8
    net = Net(bit)
    fill(net)
    options = dict(config["optimizer"]["optim_params"])
    options["lr"] = 1e-3
    optimizer = config["optimizer"]["type"](net.parameters(), **options)
    criterion = getattr(module, loss_name)(config, bit)
    if hasattr(criterion, "multi_label_random_center"):
        criterion.multi_label_random_center = whole(7, 2, bit).float()
    fill(criterion, 3)
    if name == "DPN":
        criterion.target_vectors = torch.sign(array(9, *criterion.target_vectors.shape))
    train, test = DataLoader(Images(0, 20), batch_size=10), DataLoader(Images(5, 12), batch_size=6)
    for epoch in range(2):
        if hasattr(criterion, "scale"):
            criterion.scale = (epoch // 1 + 1) ** 0.5
        if hasattr(criterion, "updateBandW"):
            criterion.updateBandW(config["device"])
        net.train()
        train_loss = 0
        for image, label, ind in train:
            optimizer.zero_grad()
            u = net(image)
            loss = criterion(u, label.float(), ind, config)
            train_loss += loss.item()
            loss.backward()
            optimizer.step()
        say("%s %d" % (name, epoch), train_loss / len(train))
    keep(name, net)
    for key, value in sorted(vars(criterion).items()):
        if isinstance(value, torch.Tensor):
            say("%s %s" % (name, key), value.double().sum().item(), value.double().abs().sum().item())
    tst, tst_label = compute_result(test, net, config["device"])
    trn, trn_label = compute_result(train, net, config["device"])
    say(name + " map", CalcTopMap(trn.numpy(), tst.numpy(), trn_label.numpy(), tst_label.numpy(), -1), CalcTopMap(trn.numpy(), tst.numpy(), trn_label.numpy(), tst_label.numpy(), 5))
    return net, config, train, test, bit


def validated():
    net, config, train, test, bit = run("DSH", "DSHLoss")
    config["save_path"] = os.environ["OUT"] + "-save"
    config.pop("pr_curve_path", None)
    say("best", validate(config, 0, test, train, net, bit, 0, 20))


for name, loss_name in (("HashNet", "HashNetLoss"), ("CSQ", "CSQLoss"), ("DPSH", "DPSHLoss"), ("DSHSD", "DSHSDLoss"), ("DHN", "DHNLoss"), ("DCH", "DCHLoss"), ("DTSH", "DTSHLoss"), ("IDHN", "DPSHLoss"), ("DBDH", "DPSHLoss"), ("LCDSH", "LCDSHLoss"), ("DPN", "DPNLoss")):
    attempt(name, lambda name=name, loss_name=loss_name: run(name, loss_name))
attempt("validated", validated)
