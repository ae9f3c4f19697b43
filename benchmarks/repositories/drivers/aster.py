import sys
import tempfile
import numpy as np
import torch

sys.argv = ["main.py", "--STN_ON", "--tps_inputsize", "32", "64", "--tps_outputsize", "32", "100", "--tps_margins", "0.05", "0.05", "--stn_activation", "none", "--num_control_points", "20", "--with_lstm", "--beam_width", "3", "--decoder_sdim", "16", "--attDim", "16"]

from lib.models.model_builder import ModelBuilder
from lib.trainers import Trainer
from lib.utils.serialization import load_checkpoint, save_checkpoint
from probe import array, attempt, fill, keep, say, whole


def run():
    model = ModelBuilder(arch="ResNet_ASTER", rec_num_classes=12, sDim=16, attDim=16, max_len_labels=6, eos=10, STN_ON=True)
    fill(model)
    with torch.no_grad():
        model.stn_head.stn_fc2.weight.data.zero_()
        model.stn_head.stn_fc2.bias.data.copy_(torch.from_numpy(np.linspace(0.05, 0.95, 40).astype("float32")).view(-1))
    optimizer = torch.optim.Adadelta(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1, weight_decay=0.0, eps=1e-3)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 2], gamma=0.1)
    trainer = Trainer(model, "accuracy", tempfile.mkdtemp(), iters=0, best_res=-1, grad_clip=1.0, use_cuda=False, loss_weights={"loss_rec": 1.0})
    batch = (array(1, 4, 3, 64, 128).tanh(), whole(2, 10, 4, 6), [6, 4, 5, 6])
    for epoch in range(2):
        trainer.train(epoch, [batch, batch], optimizer, 0.1, print_freq=1)
        scheduler.step()
    keep("model", model)
    save_checkpoint({"state_dict": model.state_dict(), "iters": trainer.iters}, True, fpath=trainer.logs_dir + "/checkpoint.pth.tar")
    model.load_state_dict(load_checkpoint(trainer.logs_dir + "/checkpoint.pth.tar")["state_dict"])
    model.eval()
    with torch.no_grad():
        found = model({"images": batch[0], "rec_targets": batch[1], "rec_lengths": batch[2]})
    say("found", found["losses"]["loss_rec"].item(), *found["output"]["pred_rec"].flatten().tolist(), found["output"]["rectified_images"].abs().mean())


attempt("train", run)
