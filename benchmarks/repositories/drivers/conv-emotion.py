from types import SimpleNamespace
import torch
import torch.optim as optim
import train_iemocap as project
from commonsense_model import CommonsenseGRUModel
from model import MaskedNLLLoss
from probe import array, attempt, fill, keep, quiet, say, whole

project.seed, project.cuda, project.args = 3, False, SimpleNamespace(tensorboard=False)
sizes = dict(D_m=6, D_s=8, D_g=4, D_p=4, D_r=4, D_i=4, D_e=12, D_h=7, D_a=5)


def batch(seed, n=5):
    umask = torch.ones(3, n)
    umask[1, 3:] = 0
    umask[2, 4:] = 0
    party = torch.nn.functional.one_hot(whole(seed, 2, n, 3), 2).float()
    senses = [array(seed + k, n, 3, 8) for k in range(9)]
    return [*[array(seed + 20 + k, n, 3, 6) for k in range(4)], *senses, party, umask, whole(seed + 40, 6, 3, n), ["a", "b", "c"]]


def run(name, weights, **options):
    model = CommonsenseGRUModel(*sizes.values(), n_classes=6, context_attention="general2", **options)
    fill(model)
    quiet(model)
    loss = MaskedNLLLoss(weights)
    optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=3e-4)
    loader = [batch(0), batch(100, 4)]
    for epoch in range(2):
        train = project.train_or_eval_model(model, loss, loader, epoch, optimizer, True)
        valid = project.train_or_eval_model(model, loss, loader, epoch)
        say("%s %d" % (name, epoch), train[0], train[1], valid[0], valid[1], *valid[5], len(valid[6][0]))
    keep(name, model)


attempt("plain", lambda: run("plain", None, listener_state=False, norm=3, mode1=2))
attempt("listener", lambda: run("listener", torch.FloatTensor([1, 2, 0.5, 1, 3, 1]), listener_state=True, norm=1, mode1=0, residual=True))
attempt("weights", lambda: run("weights", None, listener_state=False, norm=2, mode1=7))
attempt("direct", lambda: run("direct", None, norm=0, mode1=1))
