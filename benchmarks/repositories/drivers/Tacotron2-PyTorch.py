import torch
from hparams import hparams as hps

hps.is_cuda = False
hps.num_mels, hps.symbols_embedding_dim, hps.encoder_embedding_dim, hps.decoder_rnn_dim, hps.prenet_dim = 8, 12, 12, 16, 10
hps.attention_rnn_dim, hps.attention_dim, hps.attention_location_n_filters, hps.attention_location_kernel_size = 16, 8, 4, 5
hps.postnet_embedding_dim, hps.p_attention_dropout, hps.p_decoder_dropout, hps.n_frames_per_step = 12, 0.0, 0.0, 2

from model.model import Tacotron2, Tacotron2Loss

from probe import array, fill, keep, quiet, say, whole


def batch(seed):
    gate = torch.zeros(3, 6)
    gate[0, 5:] = gate[1, 3:] = gate[2, 3:] = 1
    return whole(seed, hps.n_symbols, 3, 7), torch.LongTensor([7, 5, 4]), array(seed, 3, hps.num_mels, 6), gate, torch.LongTensor([6, 4, 4])


def main():
    model = Tacotron2()
    fill(model)
    quiet(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=hps.betas, eps=hps.eps, weight_decay=hps.weight_decay)
    criterion = Tacotron2Loss()
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 4**0.5 * min((step + 1) * 4**-1.5, (step + 1) ** -0.5))
    model.train()
    for step in range(3):
        x, y = model.parse_batch(batch(step))
        loss, items = criterion(model(x), y)
        model.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        say(f"step {step}", loss.item(), *items, norm, optimizer.param_groups[0]["lr"])
    keep("tacotron", model)
    model.eval()
    with torch.no_grad():
        outputs = model.inference(whole(5, hps.n_symbols, 1, 3))
        say("inferred", *[o.mean() for o in outputs], outputs[0].size(2))
        outputs = model.teacher_infer(whole(5, hps.n_symbols, 2, 3), array(6, 2, hps.num_mels, 6))
        say("teacher", *[o.float().mean() for o in outputs])


main()
