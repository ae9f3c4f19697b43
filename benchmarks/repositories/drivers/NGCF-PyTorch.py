import numpy as np
import scipy.sparse as sp
import torch
from types import SimpleNamespace
from NGCF import NGCF
from probe import fill, keep, say


def main():
    r = np.random.RandomState(0)
    adj = sp.csr_matrix((r.rand(18, 18) > 0.7) * r.rand(18, 18))
    args = SimpleNamespace(device=torch.device("cpu"), embed_size=8, batch_size=5, node_dropout=[0.1], mess_dropout=[0.0, 0.0], layer_size='[8,6]', regs='[1e-3]')
    model = NGCF(10, 8, adj, args).to(args.device)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    total = 0.
    for step in range(4):
        rr = np.random.RandomState(step)
        u, p, n = model(rr.randint(0, 10, 5).tolist(), rr.randint(0, 8, 5).tolist(), rr.randint(0, 8, 5).tolist(), drop_flag=False)
        batch_loss, mf, emb = model.create_bpr_loss(u, p, n)
        optimizer.zero_grad()
        batch_loss.backward()
        optimizer.step()
        total += batch_loss
        say("loss %d" % step, batch_loss, mf, emb, total)
    keep("ngcf", model)
    model.eval()
    u, p, _ = model([0, 1, 2], range(8), [], drop_flag=False)
    rate = model.rating(u, p).detach().cpu()
    say("rating", *rate.numpy().ravel())
    u, p, n = model([0, 1], [1, 2], [3, 4], drop_flag=True)
    say("dropped", u.shape[1])


main()
