import numpy as np
import torch
import main
from probe import attempt, fill, keep, say
from stgcn import STGCN
from utils import generate_dataset, get_normalized_adj


def run():
    rng = np.random.RandomState(0)
    A = (rng.rand(5, 5) > 0.5).astype(np.float32)
    X = rng.randn(5, 2, 34).astype(np.float32)
    X = (X - X.mean(axis=(0, 2)).reshape(1, -1, 1)) / X.std(axis=(0, 2)).reshape(1, -1, 1)
    inputs, target = generate_dataset(X[:, :, :22], 12, 3)
    val_inputs, val_target = generate_dataset(X[:, :, 18:], 12, 3)
    main.A_wave = torch.from_numpy(get_normalized_adj(A)).to(device=main.args.device)
    main.net = STGCN(main.A_wave.shape[0], inputs.shape[3], 12, 3).to(device=main.args.device)
    fill(main.net)
    main.optimizer = torch.optim.Adam(main.net.parameters(), lr=1e-3)
    main.loss_criterion = torch.nn.MSELoss()
    for epoch in range(2):
        say(f"loss {epoch}", main.train_epoch(inputs, target, batch_size=4))
        with torch.no_grad():
            main.net.eval()
            out = main.net(main.A_wave, val_inputs)
            say(f"val {epoch}", main.loss_criterion(out, val_target).item(), np.mean(np.absolute(out.detach().cpu().numpy() * 2 + 1 - val_target.numpy())))
    keep("net", main.net)


attempt("run", run)
