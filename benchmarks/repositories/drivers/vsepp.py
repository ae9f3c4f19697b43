import pickle
import types
import numpy as np
import torch
import train as module
from probe import array, attempt, fill, keep, say, whole


class Pairs(list):
    dataset = range(10)


def batch(seed, ids):
    return array(seed, 5, 7), whole(seed + 1, 11, 5, 6), [6, 6, 4, 3, 2], ids


def run(name, **options):
    opt = types.SimpleNamespace(grad_clip=2.0, data_name="f8k_precomp", img_dim=7, embed_size=8, finetune=False, cnn_type="vgg19", use_abs=False, no_imgnorm=False, vocab_size=11, word_dim=5, num_layers=1, margin=0.2, measure="cosine", max_violation=False, learning_rate=0.002, lr_update=1, log_step=1, val_step=2, reset_train=True)
    vars(opt).update(options)
    net = module.VSE(opt)
    fill(net.img_enc, 2)
    fill(net.txt_enc, 3)
    given = Pairs(batch(i, list(range(5 * i, 5 * i + 5))) for i in range(2))
    for epoch in range(2):
        module.adjust_learning_rate(opt, net.optimizer, epoch)
        module.train(opt, given, net, epoch, given)
        say(f"{name} {epoch}", module.validate(opt, given, net), net.logger.meters["Le"].avg, net.optimizer.param_groups[0]["lr"])
    keep(name + " images", net.img_enc)
    keep(name + " texts", net.txt_enc)
    module.save_checkpoint({"model": net.state_dict(), "Eiters": net.Eiters}, True, prefix=name)
    again = module.VSE(opt)
    again.load_state_dict(torch.load(name + "model_best.pth.tar")["model"])
    found = module.encode_data(again, given, 1, print)
    say(name + " again", *(np.abs(x).sum() for x in found))


attempt("sum", lambda: run("sum"))
attempt("hard", lambda: run("hard", max_violation=True, num_layers=2))
attempt("order", lambda: run("order", measure="order", use_abs=True, no_imgnorm=True))
