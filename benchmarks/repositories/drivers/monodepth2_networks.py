"""Its networks over torchvision's residual networks in evaluation: features of one image and of two, disparities, poses, and their gradients."""
import torch
from layers import transformation_from_parameters
from networks import DepthDecoder, PoseDecoder, ResnetEncoder
from probe import array, attempt, fill, keep, say


def networks(layers):
    depth_encoder, pose_encoder = ResnetEncoder(layers, False), ResnetEncoder(layers, False, num_input_images=2)
    depth = DepthDecoder(depth_encoder.num_ch_enc, range(4))
    pose = PoseDecoder(pose_encoder.num_ch_enc, num_input_features=1, num_frames_to_predict_for=2)
    for seed, model in enumerate((depth_encoder, pose_encoder, depth, pose)):
        fill(model, seed)
        model.eval()
    features = depth_encoder(array(1, 2, 3, 64, 96))
    disparities = depth(features)
    axisangle, translation = pose([pose_encoder(array(2, 2, 6, 64, 96))])
    moved = transformation_from_parameters(axisangle[:, 0], translation[:, 0], invert=True)
    say(f"{layers} features", *[f.mean().item() for f in features], *[f.std().item() for f in features])
    say(f"{layers} disparities", *[disparities[("disp", s)].mean().item() for s in range(4)])
    say(f"{layers} poses", *(moved.detach().flatten() * 100).tolist())
    loss = sum(disparities[("disp", s)].pow(2).mean() for s in range(4)) + moved.pow(2).mean()
    optimizer = torch.optim.SGD([p for m in (depth_encoder, pose_encoder, depth, pose) for p in m.parameters()], lr=1.0)
    loss.backward()
    optimizer.step()
    keep(f"depth{layers}", depth)
    keep(f"pose{layers}", pose)


for number in (18, 50):
    attempt(f"resnet {number}", lambda: networks(number))
