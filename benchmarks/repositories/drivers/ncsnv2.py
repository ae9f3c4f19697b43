from types import SimpleNamespace
import torch
from losses import get_optimizer
from losses.dsm import anneal_dsm_score_estimation
from models import anneal_Langevin_dynamics, get_sigmas
from models.ema import EMAHelper
from models.ncsn import NCSN
from models.ncsnv2 import NCSNv2
from probe import array, attempt, fill, keep, say


def run(name, kind, norm, act, optimizer):
    model_config = SimpleNamespace(ngf=8, num_classes=4, nonlinearity=act, sigma_dist="geometric", sigma_begin=2, sigma_end=0.1, normalization=norm, spec_norm=False)
    data = SimpleNamespace(logit_transform=False, rescaled=False, channels=3, image_size=16)
    optim = SimpleNamespace(optimizer=optimizer, lr=1e-6 if optimizer == "SGD" else 1e-3, weight_decay=0.0, beta1=0.9, amsgrad=True, eps=1e-8)
    config = SimpleNamespace(model=model_config, data=data, optim=optim, device=torch.device("cpu"))
    score, sigmas = kind(config), get_sigmas(config)
    fill(score)
    ema = EMAHelper(mu=0.9)
    ema.register(score)
    stepper = get_optimizer(config, score.parameters())
    seen = []
    for step in range(3):
        score.train()
        X = torch.sigmoid(array(step, 3, 3, 16, 16))
        labels = torch.tensor([step, 1, 3])
        loss = anneal_dsm_score_estimation(score, X, sigmas, labels, 2.0, lambda loss, labels: seen.append(loss.mean().item()))
        stepper.zero_grad()
        loss.backward()
        stepper.step()
        ema.update(score)
        say("%s %d" % (name, step), loss.item(), seen[-1])
    test = ema.ema_copy(score)
    test.eval()
    images = anneal_Langevin_dynamics(torch.sigmoid(array(7, 2, 3, 16, 16)), test, sigmas.cpu().numpy(), 2, 1e-5, verbose=True)
    say(name + " images", len(images), *[image.mean().item() for image in images])
    keep(name, score)
    keep(name + "ema", test)


attempt("v2", lambda: run("v2", NCSNv2, "InstanceNorm++", "elu", "Adam"))
attempt("swish", lambda: run("swish", NCSNv2, "VarianceNorm", "swish", "RMSProp"))
attempt("instance", lambda: run("instance", NCSNv2, "InstanceNorm", "relu", "SGD"))
attempt("v1", lambda: run("v1", NCSN, "InstanceNorm++", "lrelu", "Adam"))
