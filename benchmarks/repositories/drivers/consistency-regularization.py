from types import SimpleNamespace
import torch
import torch.optim as optim
from probe import array, attempt, fill, keep, say, whole
from ssl_lib.algs.builder import gen_ssl_alg
from ssl_lib.algs.utils import get_tsa_threshold
from ssl_lib.consistency.builder import gen_consistency
from ssl_lib.misc.meter import Meter
from ssl_lib.models.cnn13 import CNN13
from ssl_lib.models.resnet import ResNet
from ssl_lib.param_scheduler import scheduler
from train_test import evaluation, param_update

base = dict(consistency="ce", threshold=0.2, sharpen=None, temp_softmax=None, alpha=0.5, eps=1.0, xi=1e-2, vat_iter=1, tsa=False, tsa_schedule="linear", iteration=10, coef=1.0, warmup_iter=4, entropy_minimization=0.0, weight_decay=5e-3, ema_teacher=False, ema_teacher_factor=0.9, ema_apply_wd=True, ema_teacher_warmup=True, weight_average=False, wa_ema_factor=0.9, wa_apply_wd=True)


def run(name, make, alg, **changes):
    cfg = SimpleNamespace(**{**base, **changes})
    made = [make() for _ in range(3)]
    for model in made:
        fill(model)
    model, teacher, average = made[0], made[1] if cfg.ema_teacher else None, made[2] if cfg.weight_average else None
    algorithm, consistency = gen_ssl_alg(alg, cfg), gen_consistency(cfg.consistency, cfg)
    print(algorithm)
    optimizer = optim.SGD(model.parameters(), 0.03, 0.9, weight_decay=0, nesterov=True) if alg != "pl" else optim.Adam(model.parameters(), 1e-3, (0.9, 0.999))
    lr_scheduler = scheduler.CosineAnnealingLR(optimizer, cfg.iteration)
    meter = Meter()
    for i in range(3):
        values = param_update(cfg, i, model, teacher, optimizer, algorithm, consistency, array(i, 4, 3, 16, 16), array(i + 9, 6, 3, 16, 16), array(i + 18, 6, 3, 16, 16), whole(i, 5, 4), average)
        meter.add(values, ignores=["coef"])
        lr_scheduler.step()
        say("%s %d" % (name, i), *[values[k] for k in ("acc", "loss", "sup loss", "ssl loss", "mask", "coef")], optimizer.param_groups[0]["lr"])
    loader = [(array(50, 4, 3, 16, 16), whole(50, 5, 4)), (array(51, 4, 3, 16, 16), whole(51, 5, 4))]
    say(name + " test", *evaluation(model, average or model, loader, "cpu"))
    keep(name, model)
    if average or teacher:
        keep(name + "ema", average or teacher)


def adversarial(name, alg):
    cfg = SimpleNamespace(**base)
    model = CNN13(5, 4)
    fill(model)
    algorithm, consistency = gen_ssl_alg(alg, cfg), gen_consistency("ms", cfg)
    optimizer = optim.SGD(model.parameters(), 0.03)
    for i in range(2):
        x = array(i, 6, 3, 16, 16)
        logits = model(x)
        model.update_batch_stats(False)
        y, targets, mask = algorithm(tea_logits=logits.detach(), w_data=x, stu_forward=model.forward)
        model.update_batch_stats(True)
        loss = consistency(y, targets, mask) + logits.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, i), loss.item(), y.abs().sum().item())
    keep(name, model)


attempt("cr", lambda: run("cr", lambda: CNN13(5, 4), "cr", ema_teacher=True, consistency="ms", sharpen=2.0))
attempt("tsa", lambda: run("tsa", lambda: ResNet(5, 4, 3, 1), "cr", weight_average=True, tsa=True, entropy_minimization=0.1, temp_softmax=0.4))
attempt("pl", lambda: run("pl", lambda: CNN13(5, 4), "pl", threshold=0.3))
attempt("vat", lambda: adversarial("vat", "vat"))
attempt("ict", lambda: adversarial("ict", "ict"))
say("threshold", get_tsa_threshold("linear", 3, 10, 0.2, 1.0))
