import os
from types import SimpleNamespace
import torch
import cavia
import maml
from cavia_model import CaviaModel
from maml_model import MamlModel
from probe import array, attempt, fill, keep, say

made = {}


class Filled(CaviaModel):
    def __init__(self, **options):
        super().__init__(**options)
        fill(self)
        made["cavia"] = self


class FilledMaml(MamlModel):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        for i, w in enumerate(self.weights + self.biases):
            noise = 1 + 1e-6 * int(os.environ.get("NOISE", 0))
            w.data.copy_(array(i, *w.shape) * 0.3 * noise)


cavia.CaviaModel, maml.MamlModel = Filled, FilledMaml


def run(name, module, **changes):
    args = SimpleNamespace(task="sine", n_iter=3, tasks_per_metaupdate=2, k_meta_train=5, k_meta_test=5, k_shot_eval=5, lr_inner=0.1, lr_meta=0.001, num_inner_updates=2, num_context_params=3, num_hidden_layers=[8, 8], first_order=False, maml=module is maml, seed=4, use_ordered_pixels=False, device=torch.device("cpu"))
    for key, value in changes.items():
        setattr(args, key, value)
    logger = module.run(args, log_interval=2, rerun=True)
    for kind in ("train", "valid", "test"):
        say("%s %s" % (name, kind), *getattr(logger, kind + "_loss"), *getattr(logger, kind + "_conf"))
    if module is cavia:
        keep(name, made["cavia"])


attempt("cavia", lambda: run("cavia", cavia))
attempt("first", lambda: run("first", cavia, first_order=True))
attempt("maml", lambda: run("maml", maml))
attempt("mamlfirst", lambda: run("mamlfirst", maml, first_order=True, num_inner_updates=1))
