import torch
import model_vc
from model_bl import D_VECTOR
from solver_encoder import Solver
from probe import array, attempt, fill, keep, say


class Options:
    lambda_cd, dim_neck, dim_emb, dim_pre, freq, batch_size, num_iters, log_step = 1, 4, 8, 16, 8, 2, 3, 1


def main():
    batches = [(array(i, 2, 32, 80), array(i + 9, 2, 8)) for i in range(2)]
    solver = Solver(batches, Options())
    fill(solver.G)
    solver.train()
    keep("G", solver.G)
    solver.G.eval()
    x, c = batches[0]
    with torch.no_grad():
        mel, post, code = solver.G(x, c, batches[1][1])
    say("eval", mel.mean(), post.std(), code.abs().sum())
    d = D_VECTOR(num_layers=2, dim_input=80, dim_cell=16, dim_emb=8)
    fill(d)
    say("vector", *d(array(3, 2, 12, 80)).detach().numpy().ravel()[:5])


main()
