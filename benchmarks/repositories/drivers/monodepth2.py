from types import SimpleNamespace
import numpy as np
import torch
import networks
from layers import SSIM, BackprojectDepth, Project3D
from probe import array, attempt, fill, keep, say
from trainer import Trainer
from utils import normalize_image


def run(name, kind, **changes):
    options = dict(height=64, width=96, batch_size=2, scales=[0, 1, 2, 3], frame_ids=[0, -1, 1], pose_model_type=kind, pose_model_input="pairs", predictive_mask=False, disable_automasking=False, v1_multiscale=False, avg_reprojection=False, no_ssim=False, min_depth=0.1, max_depth=100.0, disparity_smoothness=1e-3)
    trainer = Trainer.__new__(Trainer)
    trainer.opt = SimpleNamespace(**{**options, **changes})
    trainer.device, trainer.num_scales, trainer.use_pose_net, trainer.num_pose_frames = torch.device("cpu"), 4, True, 2
    trainer.models = {"encoder": networks.ResnetEncoder(18, False)}
    trainer.models["depth"] = networks.DepthDecoder(trainer.models["encoder"].num_ch_enc, trainer.opt.scales)
    trainer.models["pose"] = networks.PoseCNN(2) if kind == "posecnn" else networks.PoseDecoder(trainer.models["encoder"].num_ch_enc, 2)
    parameters = []
    for i, model in enumerate(trainer.models.values()):
        fill(model, i)
        parameters += list(model.parameters())
    trainer.ssim, trainer.backproject_depth, trainer.project_3d = SSIM(), {}, {}
    for scale in trainer.opt.scales:
        h, w = 64 // 2**scale, 96 // 2**scale
        trainer.backproject_depth[scale], trainer.project_3d[scale] = BackprojectDepth(2, h, w), Project3D(2, h, w)
    optimizer = torch.optim.Adam(parameters, 1e-4)
    trainer.set_train()
    for step in range(2):
        inputs = {}
        for scale in trainer.opt.scales:
            K = np.array([[0.58, 0, 0.5, 0], [0, 1.92, 0.5, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.float32)
            K[0, :] *= 96 // 2**scale
            K[1, :] *= 64 // 2**scale
            inputs[("K", scale)] = torch.from_numpy(K)[None].repeat(2, 1, 1)
            inputs[("inv_K", scale)] = torch.from_numpy(np.linalg.pinv(K))[None].repeat(2, 1, 1)
            for i in trainer.opt.frame_ids:
                inputs[("color", i, scale)] = inputs[("color_aug", i, scale)] = torch.sigmoid(array(step + 10 * i + 100 * scale + 50, 2, 3, 64 // 2**scale, 96 // 2**scale))
        outputs, losses = trainer.process_batch(inputs)
        optimizer.zero_grad()
        losses["loss"].backward()
        optimizer.step()
        say("%s %d" % (name, step), *[losses[k].item() for k in sorted(losses)], normalize_image(outputs[("disp", 0)][0]).mean().item())
    trainer.set_eval()
    with torch.no_grad():
        outputs, losses = trainer.process_batch(inputs)
        say(name + " val", losses["loss"].item(), outputs[("depth", 0, 0)].mean().item())
    keep(name, trainer.models["depth"])


attempt("posecnn", lambda: run("posecnn", "posecnn"))
attempt("shared", lambda: run("shared", "shared", v1_multiscale=True, avg_reprojection=True))
attempt("plain", lambda: run("plain", "posecnn", disable_automasking=True, no_ssim=True))
