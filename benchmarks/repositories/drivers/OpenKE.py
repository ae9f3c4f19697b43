import numpy as np
import torch
from openke.config import Trainer
from openke.module.loss import MarginLoss, SigmoidLoss, SoftplusLoss
from openke.module.model import Analogy, ComplEx, DistMult, RESCAL, RotatE, SimplE, TransD, TransE, TransH, TransR
from openke.module.strategy import NegativeSampling
from probe import attempt, fill, keep, say


def batches(mode, size=4, negatives=3):
    made = []
    for seed in range(2):
        rng = np.random.RandomState(seed)
        if mode == "normal":
            n = size * (1 + negatives)
            made.append(dict(batch_h=rng.randint(0, 12, n), batch_t=rng.randint(0, 12, n), batch_r=np.tile(rng.randint(0, 4, size), 1 + negatives), batch_y=np.ones(n, dtype="float32"), mode=mode))
        else:
            made.append(dict(batch_h=rng.randint(0, 12, size * (1 + negatives)), batch_t=rng.randint(0, 12, size), batch_r=rng.randint(0, 4, size), batch_y=np.ones(size, dtype="float32"), mode=mode))
    return made


def run(name, model, loss, optimizer, mode="normal", alpha=0.1, **options):
    for i, m in enumerate(model.modules()):
        if isinstance(m, torch.nn.Embedding):
            fill(m, i)
    data = batches(mode)
    strategy = NegativeSampling(model=model, loss=loss, batch_size=4, **options)
    trainer = Trainer(model=strategy, data_loader=data, train_times=2, alpha=alpha, use_gpu=False, opt_method=optimizer)
    trainer.run()
    losses = [trainer.train_one_step(d) for d in data]
    one = {k: torch.from_numpy(v) if k != "mode" else v for k, v in data[0].items()}
    say(name, *losses, model.predict(one).sum(), sum(p.requires_grad for p in strategy.parameters()))
    model.save_checkpoint(name + ".ckpt")
    model.load_checkpoint(name + ".ckpt")
    values = model.get_parameters("list")
    say(name + " parameters", len(values), *[np.abs(np.array(values[k])).sum() for k in sorted(values)])
    keep(name, model)


attempt("transe", lambda: run("transe", TransE(12, 4, 6, 1, True), MarginLoss(margin=5.0), "sgd"))
attempt("transe2", lambda: run("transe2", TransE(12, 4, 6, 2, False, margin=6.0, epsilon=2.0), SigmoidLoss(adv_temperature=1), "adam", alpha=1e-2))
attempt("transh", lambda: run("transh", TransH(12, 4, 6), MarginLoss(margin=4.0), "sgd"))
attempt("transd", lambda: run("transd", TransD(12, 4, 6, 6), MarginLoss(margin=4.0), "adadelta"))
attempt("transr", lambda: run("transr", TransR(12, 4, 6, 6, rand_init=False), MarginLoss(adv_temperature=0.5, margin=4.0), "sgd"))
attempt("distmult", lambda: run("distmult", DistMult(12, 4, 6), SoftplusLoss(), "adagrad", regul_rate=1.0, l3_regul_rate=1e-5))
attempt("complex", lambda: run("complex", ComplEx(12, 4, 6), SoftplusLoss(), "adagrad", regul_rate=1.0))
attempt("analogy", lambda: run("analogy", Analogy(12, 4, 6), SoftplusLoss(adv_temperature=1.0), "adagrad", regul_rate=1.0))
attempt("simple", lambda: run("simple", SimplE(12, 4, 6), SoftplusLoss(), "adagrad", regul_rate=1.0))
attempt("rescal", lambda: run("rescal", RESCAL(12, 4, 6), MarginLoss(margin=1.0), "adagrad"))
attempt("rotate", lambda: run("rotate", RotatE(12, 4, 6), SigmoidLoss(adv_temperature=2), "adam", mode="head_batch", alpha=1e-2))
