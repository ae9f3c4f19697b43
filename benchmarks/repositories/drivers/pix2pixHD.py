import os
import sys
import numpy as np
import torch
from torch.autograd import Variable
from probe import array, attempt, fill, keep, say, whole

folder = os.environ["OUT"] + "-checkpoints"


def options(*more):
    from options.train_options import TrainOptions

    sys.argv = ["train.py", "--gpu_ids", "-1", "--checkpoints_dir", folder, "--label_nc", "4", "--ngf", "4", "--ndf", "4", "--n_downsample_global", "2", "--n_blocks_global", "2", "--n_layers_D", "2", "--no_vgg_loss", "--niter_decay", "2", "--lr", "0.002", *more]
    return TrainOptions().parse()


def run(name, *more):
    from models.models import create_model

    opt = options("--name", name, *more)
    model = create_model(opt)
    for i, net in enumerate([model.netG, model.netD]):
        fill(net, i)
    if model.gen_features:
        fill(model.netE, 7)
    data = {"label": whole(0, 4, 2, 1, 32, 32).float(), "inst": whole(1, 3, 2, 1, 32, 32).float(), "image": torch.tanh(array(2, 2, 3, 32, 32)), "feat": torch.zeros(1)}
    for step in range(3):
        losses, generated = model(Variable(data["label"]), Variable(data["inst"]), Variable(data["image"]), Variable(data["feat"]), infer=step == 2)
        losses = [torch.mean(x) if not isinstance(x, int) else x for x in losses]
        loss_dict = dict(zip(model.loss_names, losses))
        loss_D = (loss_dict["D_fake"] + loss_dict["D_real"]) * 0.5
        loss_G = loss_dict["G_GAN"] + loss_dict.get("G_GAN_Feat", 0) + loss_dict.get("G_VGG", 0)
        model.optimizer_G.zero_grad()
        loss_G.backward()
        model.optimizer_G.step()
        model.optimizer_D.zero_grad()
        loss_D.backward()
        model.optimizer_D.step()
        errors = {k: v.data.item() if not isinstance(v, int) else v for k, v in loss_dict.items()}
        say("%s %d" % (name, step), *errors.values())
        if step == 1:
            model.update_learning_rate()
    from util import util

    say(name + " image", *util.tensor2im(generated.data[0])[:2, :3].flatten(), *util.tensor2label(data["label"][0], opt.label_nc)[:2, :3].flatten())
    keep(name + "-G", model.netG)
    keep(name + "-D", model.netD)
    model.save("latest")
    again = create_model(options("--name", name, "--continue_train", *more))
    say(name + " loaded", sum(p.abs().sum().item() for p in again.netG.parameters()))
    if model.gen_features:
        keep(name + "-E", model.netE)


attempt("global", lambda: run("global"))
attempt("local", lambda: run("local", "--netG", "local", "--n_blocks_local", "1", "--niter_fix_global", "1", "--norm", "batch"))
attempt("features", lambda: run("features", "--instance_feat", "--n_downsample_E", "2", "--nef", "4", "--pool_size", "3"))
