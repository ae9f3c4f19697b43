import itertools
import torch
import torch.optim as optim
from torch.distributions import MultivariateNormal
from nflib.flows import IAF, MAF, ActNorm, AffineConstantFlow, AffineHalfFlow, Invertible1x1Conv, NormalizingFlowModel, SlowMAF
from nflib.nets import MLP
from nflib.spline_flows import NSF_AR, NSF_CL
from probe import array, attempt, fill, keep, say


def run(name, flows, dim=2):
    prior = MultivariateNormal(torch.zeros(dim), torch.eye(dim))
    model = NormalizingFlowModel(prior, flows)
    for p in model.parameters():
        p.data.copy_(torch.cos(torch.arange(p.numel()) * 1.3).reshape(p.shape) * 0.2)
    for flow in flows:
        if isinstance(flow, Invertible1x1Conv):  # its permutation is drawn
            flow.P = torch.eye(2)
    optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
    model.train()
    for step in range(3):
        x = array(step, 8, dim)
        zs, prior_logprob, log_det = model(x)
        loss = -torch.sum(prior_logprob + log_det)
        model.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), zs[-1].abs().sum().item())
    model.eval()
    xs, log_det = model.backward(array(9, 6, dim))
    say(name + " backward", xs[-1].abs().sum().item(), log_det.sum().item())
    say(name + " sample", len(model.sample(4)), model.sample(4)[-1].shape[0])
    keep(name, model)


attempt("constant", lambda: run("constant", [AffineConstantFlow(2), AffineConstantFlow(2, scale=False)]))
attempt("half", lambda: run("half", [AffineHalfFlow(2, parity=i % 2, nh=6) for i in range(3)]))
attempt("nice", lambda: run("nice", [AffineHalfFlow(2, parity=i % 2, nh=6, scale=False) for i in range(2)] + [AffineConstantFlow(2, shift=False)]))
attempt("slow", lambda: run("slow", [SlowMAF(3, parity=i % 2, nh=6) for i in range(2)], 3))
attempt("maf", lambda: run("maf", [MAF(4, parity=i % 2, nh=8) for i in range(2)], 4))
attempt("iaf", lambda: run("iaf", [IAF(3, parity=i % 2, nh=6) for i in range(2)], 3))
attempt("glow", lambda: run("glow", list(itertools.chain(*zip([ActNorm(2) for _ in range(2)], [Invertible1x1Conv(2) for _ in range(2)], [NSF_CL(dim=2, K=4, B=3, hidden_dim=6) for _ in range(2)])))))
attempt("spline", lambda: run("spline", [NSF_AR(dim=2, K=4, B=3, hidden_dim=6)]))
