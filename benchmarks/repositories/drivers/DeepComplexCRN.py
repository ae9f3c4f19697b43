import torch
from dc_crn import DCCRN
from probe import array, attempt, fill, keep, say


def run(mode, clstm, cbn, loss_mode="SI-SNR"):
    key = f"{mode} {clstm} {cbn} {loss_mode}"
    net = DCCRN(rnn_units=12, win_len=40, win_inc=10, fft_len=64, masking_mode=mode, use_clstm=clstm, use_cbn=cbn, kernel_num=[4, 8, 8])
    fill(net)
    optimizer = torch.optim.SGD(net.get_params(1e-3), lr=1e-3, momentum=0.9)
    inputs, labels = array(1, 2, 400).clamp_(-1, 1), array(2, 2, 400).clamp_(-1, 1)
    for step in range(3):
        spec, wav = net(inputs)
        if loss_mode == "MSE":
            loss = net.loss(spec, net.stft(labels), loss_mode=loss_mode)
        else:
            loss = net.loss(wav, labels, loss_mode=loss_mode)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        say(f"{key} {step}", loss.item(), spec.abs().mean().item(), wav.abs().mean().item())
    keep(key, net)
    net.eval()
    with torch.no_grad():
        say(key + " evaluated", net(inputs)[1].abs().mean().item())


attempt("E", lambda: run("E", False, False))
attempt("C", lambda: run("C", False, False, "MSE"))
attempt("R", lambda: run("R", True, False))
attempt("E complex", lambda: run("E", True, True))
