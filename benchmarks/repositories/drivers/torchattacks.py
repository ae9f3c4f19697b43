import torch
import torch.nn as nn
import torchattacks
from probe import array, attempt, fill, say, whole


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.Tanh(), nn.AvgPool2d(4), nn.Flatten())
        self.head = nn.Linear(24, 4)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
fill(net)
net.eval()
images = torch.sigmoid(array(0, 3, 3, 8, 8))
labels = net(images).max(1)[1].detach()


def run(name, make, targeted=False):
    attack = make(net)
    if targeted:
        attack.set_mode_targeted_by_function(target_map_function=lambda images, labels: (labels + 1) % 4)
    made = attack(images, labels)
    say(name, (made - images).abs().sum().item(), made.sum().item(), made.max().item(), net(made).abs().sum().item())


A = torchattacks
for name, make in [
    ("VANILA", A.VANILA),
    ("FGSM", A.FGSM),
    ("BIM", lambda m: A.BIM(m, steps=3)),
    ("PGD", lambda m: A.PGD(m, steps=3, random_start=False)),
    ("PGDL2", lambda m: A.PGDL2(m, steps=3, random_start=False)),
    ("MIFGSM", lambda m: A.MIFGSM(m, steps=3)),
    ("NIFGSM", lambda m: A.NIFGSM(m, steps=3)),
    ("SINIFGSM", lambda m: A.SINIFGSM(m, steps=2, m=2)),
    ("TIFGSM", lambda m: A.TIFGSM(m, steps=2, random_start=False, diversity_prob=0.0)),
    ("UPGD", lambda m: A.UPGD(m, steps=3)),
    ("EOTPGD", lambda m: A.EOTPGD(m, steps=2, eot_iter=2, random_start=False)),
    ("CW", lambda m: A.CW(m, steps=4)),
    ("DeepFool", lambda m: A.DeepFool(m, steps=4)),
    ("EADL1", lambda m: A.EADL1(m, max_iterations=10, binary_search_steps=2)),
    ("EADEN", lambda m: A.EADEN(m, max_iterations=10, binary_search_steps=2)),
    ("JSMA", lambda m: A.JSMA(m, theta=0.5, gamma=0.02)),
    ("PIFGSM", lambda m: A.PIFGSM(m, max_epsilon=16 / 255, num_iter_set=3)),
    ("SparseFool", lambda m: A.SparseFool(m, steps=2)),
]:
    attempt(name, lambda name=name, make=make: run(name, make))
for name, make in [("PGD", lambda m: A.PGD(m, steps=3, random_start=False)), ("CW", lambda m: A.CW(m, steps=4))]:
    attempt(name + " to", lambda name=name, make=make: run(name + " to", make, True))


def several():
    attack = A.MultiAttack([A.FGSM(net), A.BIM(net, steps=2)])
    say("multi", attack(images, labels).sum().item())
    saved = A.BIM(net, steps=2)
    saved.set_normalization_used(mean=[0.4, 0.5, 0.6], std=[0.2, 0.25, 0.3])
    normal = (images - torch.tensor([0.4, 0.5, 0.6]).reshape(1, 3, 1, 1)) / torch.tensor([0.2, 0.25, 0.3]).reshape(1, 3, 1, 1)
    say("normal", saved(normal, labels).sum().item())
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=2)
    plain = A.BIM(net, steps=2)
    acc, distance, took = plain.save(loader, save_path="made.pt", return_verbose=True, verbose=False)
    say("saved", acc, distance)
    again = plain.load(load_path="made.pt", batch_size=2)
    say("loaded", *[x.float().sum().item() for x, y in again])


attempt("several", several)
