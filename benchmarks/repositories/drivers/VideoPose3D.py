import numpy as np
import torch
import torch.optim as optim
from common.camera import camera_to_world, project_to_2d, project_to_2d_linear, world_to_camera
from common.generators import ChunkedGenerator, UnchunkedGenerator
from common.loss import mean_velocity_error, mpjpe, n_mpjpe, p_mpjpe, weighted_mpjpe
from common.model import TemporalModel, TemporalModelOptimized1f
from probe import attempt, fill, keep, say

rng = np.random.RandomState(0)
poses_2d = [rng.randn(n, 5, 2) for n in (20, 13)]
poses_3d = [rng.randn(n, 5, 3) + np.array([0, 0, 4.0]) for n in (20, 13)]
cameras = [np.concatenate([rng.uniform(0.5, 1.5, 2), rng.uniform(-0.1, 0.1, 7)]) for _ in range(2)]


def run(name, single, causal, dense):
    widths = [3, 3]
    model = TemporalModel(5, 2, 5, widths, causal=causal, dropout=0.0, channels=8, dense=dense)
    chosen = TemporalModelOptimized1f if single else TemporalModel
    more = {} if single else {"dense": dense}
    train, trajectory = chosen(5, 2, 5, widths, causal=causal, dropout=0.0, channels=8, **more), chosen(5, 2, 1, widths, causal=causal, dropout=0.0, channels=8, **more)
    fill(train)
    fill(trajectory, 1)
    pad = (model.receptive_field() - 1) // 2
    shift = pad if causal else 0
    say(name, model.receptive_field(), model.total_causal_shift(), sum(p.numel() for p in model.parameters()))
    generator = ChunkedGenerator(6, cameras, poses_3d, poses_2d, 1 if single else 3, pad=pad, causal_shift=shift, shuffle=True, augment=True, kps_left=[1, 3], kps_right=[2, 4], joints_left=[1, 3], joints_right=[2, 4])
    optimizer = optim.Adam(list(train.parameters()) + list(trajectory.parameters()), lr=1e-3, amsgrad=True)
    lr = 1e-3
    for epoch in range(2):
        epoch_loss, n = 0, 0
        train.train()
        trajectory.train()
        for i, (cam, batch_3d, batch_2d) in enumerate(generator.next_epoch()):
            if i == 3:
                break
            cam, inputs_3d, inputs_2d = (torch.from_numpy(a.astype("float32")) for a in (cam, batch_3d, batch_2d))
            inputs_traj = inputs_3d[:, :, :1].clone()
            inputs_3d[:, :, 0] = 0
            optimizer.zero_grad()
            predicted, where = train(inputs_2d), trajectory(inputs_2d)
            loss = mpjpe(predicted, inputs_3d)
            epoch_loss += inputs_3d.shape[0] * inputs_3d.shape[1] * loss.item()
            n += inputs_3d.shape[0] * inputs_3d.shape[1]
            total = loss
            w = 1 / inputs_traj[:, :, :, 2]
            total += weighted_mpjpe(where, inputs_traj, w)
            seen = project_to_2d(predicted + where + 5, cam)
            total += mpjpe(seen, project_to_2d_linear(inputs_3d + inputs_traj, cam)) + n_mpjpe(predicted, inputs_3d + 0.5)
            total.backward()
            optimizer.step()
            say("%s %d %d" % (name, epoch, i), total.item())
        say("%s epoch %d" % (name, epoch), epoch_loss / n)
        lr *= 0.95
        for group in optimizer.param_groups:
            group["lr"] *= 0.95
        momentum = 0.1 * np.exp(-(epoch + 1) / 3 * np.log(0.1 / 0.001))
        train.set_bn_momentum(momentum)
    model.load_state_dict(train.state_dict())
    model.eval()
    test = UnchunkedGenerator(None, poses_3d, poses_2d, pad=pad, causal_shift=shift, augment=True, kps_left=[1, 3], kps_right=[2, 4], joints_left=[1, 3], joints_right=[2, 4])
    with torch.no_grad():
        for i, (_, batch_3d, batch_2d) in enumerate(test.next_epoch()):
            out = model(torch.from_numpy(batch_2d.astype("float32")))
            out[1, :, :, 0] *= -1
            out[1, :, [1, 3, 2, 4]] = out[1, :, [2, 4, 1, 3]]
            out = torch.mean(out, dim=0, keepdim=True)
            found, true = out.cpu().numpy().reshape(-1, 5, 3), batch_3d[:1].reshape(-1, 5, 3)
            say("%s test %d" % (name, i), out.abs().sum().item(), p_mpjpe(found, true), mean_velocity_error(found, true))
    keep(name, train)


def camera():
    R, t = np.array([0.5, -0.5, 0.5, 0.5], dtype="float32"), np.array([1, 2, 3], dtype="float32")
    x = rng.randn(4, 5, 3).astype("float32")
    y = world_to_camera(x, R, t)
    say("camera", *y[0, 0], abs(camera_to_world(y, R, t) - x).max() < 1e-5)


attempt("single", lambda: run("single", True, False, False))
attempt("causal", lambda: run("causal", False, True, False))
attempt("dense", lambda: run("dense", False, False, True))
attempt("camera", camera)
