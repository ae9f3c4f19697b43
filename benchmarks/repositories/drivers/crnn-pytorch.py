import torch
from ctc_decoder import ctc_decode
from evaluate import evaluate
from model import CRNN
from train import train_batch

from probe import array, fill, keep, say, whole


def batch(seed):
    lengths = torch.tensor([3, 2, 4])
    return array(seed, 3, 1, 32, 48), whole(seed, 6, 9) + 1, lengths


def main():
    for kind in ("RMSprop", "Adam"):
        crnn = CRNN(1, 32, 48, 7, map_to_seq_hidden=16, rnn_hidden=12, leaky_relu=kind == "Adam")
        fill(crnn)
        optimizer = getattr(torch.optim, kind)(crnn.parameters(), lr=5e-4)
        criterion = torch.nn.CTCLoss(reduction="sum", zero_infinity=True)
        for step in range(3):
            say(f"{kind} {step}", train_batch(crnn, batch(step), optimizer, criterion, "cpu"))
        keep(kind, crnn)
        result = evaluate(crnn, [batch(8), batch(9)], criterion, max_iter=2, decode_method="beam_search", beam_size=3)
        say(f"{kind} evaluated", result["loss"], result["acc"], len(result["wrong_cases"]), *result["wrong_cases"][0][1])
    with torch.no_grad():
        log_probs = torch.nn.functional.log_softmax(crnn(batch(12)[0]) * 3, dim=2)
    for method in ("greedy", "beam_search", "prefix_beam_search"):
        decoded = ctc_decode(log_probs, method=method, beam_size=4)
        say(method, *[v for row in decoded for v in row], len(decoded))


main()
