import torch
import losses
from evaluations.recall_at_k import Recall_at_ks
from models.BN_Inception import BN_Inception
from utils import orth_reg
from probe import array, attempt, fill, fit, keep, say, whole


def by_loss(name):
    net = torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 8))
    fill(net)
    criterion = losses.create(name, margin=0.1, alpha=40, base=0, k=4) if name != "NCA" else losses.create(name, alpha=16, k=4)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2, weight_decay=5e-4)
    for step in range(3):
        x = net(array(step, 12, 6))
        x = x / x.norm(dim=1, keepdim=True)
        labels = torch.arange(12) // 3
        loss, accuracy, pos, neg = criterion(x, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), accuracy, pos, neg)
    keep(name, net)


def network():
    net = BN_Inception(dim=512, pretrained=False)
    fill(net)
    new = [p for n, p in net.named_parameters() if "classifier" in n]
    rest = [p for n, p in net.named_parameters() if "classifier" not in n]
    optimizer = torch.optim.Adam([{"params": rest, "lr": 1e-4}, {"params": new, "lr": 1e-3}])
    criterion = losses.create("Binomial", margin=0.5, alpha=40)
    for step in range(1):
        net.eval()
        loss = criterion(net(array(step, 4, 3, 64, 64)), torch.tensor([0, 0, 1, 1]))[0]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("inception %d" % step, loss.item())
    say("inception eval", net(array(9, 2, 3, 64, 64)).std())


def recall():
    sim = array(3, 10, 10)
    say("recall", *Recall_at_ks(sim.mm(sim.t()), query_ids=[0, 0, 1, 1, 2, 2, 3, 3, 4, 4], gallery_ids=[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]))


for name in ("Binomial", "Contrastive", "HardMining", "LiftedStructure"):
    attempt(name, lambda: by_loss(name))
attempt("network", network)
attempt("recall", recall)
