import os
import sys
from types import SimpleNamespace

for part in ("models", "utils", "data", "solver"):
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", part))

import torch
from decoder import Decoder
from encoder import Encoder
from seq2seq import Seq2Seq
from solver import Solver
from utils import IGNORE_ID

from probe import array, fill, keep, say, whole


def batch(seed):
    target = whole(seed, 6, 3, 5) + 2
    target[1, 3:] = IGNORE_ID
    target[2, 4:] = IGNORE_ID
    return array(seed, 3, 9, 5), torch.tensor([9, 7, 4]), target


def main():
    encoder = Encoder(5, 6, 2, dropout=0.0, bidirectional=True, rnn_type="lstm")
    decoder = Decoder(8, 7, 0, 1, 12, 2, bidirectional_encoder=True)
    model = Seq2Seq(encoder, decoder)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-5)
    args = SimpleNamespace(epochs=3, half_lr=1, early_stop=0, max_norm=5, save_folder="saved", checkpoint=1, continue_from="", model_path="best.pth.tar", print_freq=10, visdom=0, visdom_id="")
    solver = Solver({"tr_loader": [batch(1), batch(2)], "cv_loader": [batch(30)]}, model, optimizer, args)
    solver.train()
    say("training", *solver.tr_loss)
    say("validation", *solver.cv_loss, solver.best_val_loss, optimizer.param_groups[0]["lr"])
    keep("las", model)
    again = Seq2Seq.load_model("saved/best.pth.tar")
    again.eval()
    settings = SimpleNamespace(beam_size=3, nbest=2, decode_max_len=5)
    with torch.no_grad():
        for hypothesis in again.recognize(array(9, 8, 5), torch.tensor([8]), [*"abcdefgh"], settings):
            say("beam", hypothesis["score"], *hypothesis["yseq"])
    args.continue_from = "saved/epoch2.pth.tar"
    later = Solver({"tr_loader": [batch(4)], "cv_loader": [batch(5)]}, model, optimizer, args)
    say("resumed", later.start_epoch, *later.tr_loss[:2])


main()
