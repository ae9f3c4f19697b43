from argparse import Namespace
import torch
from train import Logger, count_parameters, fetch_optimizer, sequence_loss
from raft import RAFT
from utils.utils import InputPadder, forward_interpolate
from probe import array, attempt, fill, keep, say


def run(name, small, size):
    args = Namespace(small=small, mixed_precision=False, lr=1e-4, wdecay=5e-5, epsilon=1e-8, num_steps=20)
    model = RAFT(args)
    fill(model)
    say(name + " size", count_parameters(model))
    model.train()
    model.freeze_bn()
    optimizer, scheduler = fetch_optimizer(args, model)
    scaler = torch.cuda.amp.GradScaler(enabled=args.mixed_precision)
    logger = Logger(model, scheduler)
    for step in range(2):
        optimizer.zero_grad()
        image1, image2 = (255 * torch.sigmoid(array(step + k, 1, 3, size, size)) for k in (0, 50))
        flow = array(step + 100, 1, 2, size, size)
        valid = ((flow[:, 0].abs() < 1000) & (flow[:, 1].abs() < 1000)).float()
        predictions = model(image1, image2, iters=3)
        loss, metrics = sequence_loss(predictions, flow, valid, 0.8)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scheduler.step()
        scaler.update()
        logger.push(metrics)
        say("%s %d" % (name, step), loss.item(), *[metrics[k] for k in sorted(metrics)], optimizer.param_groups[0]["lr"])
    model.eval()
    with torch.no_grad():
        padder = InputPadder((1, 3, size - 3, size - 5))
        one, two = padder.pad(image1[..., 3:, 5:], image2[..., 3:, 5:])
        low, high = model(one, two, iters=2, test_mode=True)
        say(name + " test", low.abs().mean().item(), padder.unpad(high).abs().mean().item(), *padder.unpad(high).shape)
        say(name + " warm", forward_interpolate(low[0]).abs().mean().item())
    keep(name, model.update_block)


attempt("small", lambda: run("small", True, 128))
attempt("large", lambda: run("large", False, 128))
