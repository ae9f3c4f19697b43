import sys
sys.argv = ["drive.py"]
import numpy as np
import uisrnn
from probe import attempt, fill, keep, say
from uisrnn import utils

model_args, training_args, inference_args = uisrnn.parse_arguments()


def speakers(seed, n):
    rng = np.random.RandomState(seed)
    ids = rng.randint(0, 3, size=n)
    return rng.randn(n, 4) * 0.1 + np.eye(3, 4)[ids], np.array(["s%d" % i for i in ids])


def run(name, depth, sigma2, batch):
    np.random.seed(1)
    model_args.observation_dim, model_args.rnn_hidden_size, model_args.rnn_depth, model_args.rnn_dropout, model_args.sigma2 = 4, 6, depth, 0.0, sigma2
    model_args.verbosity = 2
    training_args.train_iteration, training_args.batch_size, training_args.num_permutations, training_args.learning_rate = 4, batch, 2, 1e-2
    inference_args.beam_size, inference_args.look_ahead, inference_args.test_iteration = 2, 1, 1
    model = uisrnn.UISRNN(model_args)
    fill(model.rnn_model)
    made = [speakers(k, 12) for k in range(2)]
    model.fit([s for s, _ in made], [c for _, c in made], training_args)
    say(name + " fit", *model.sigma2.tolist(), model.transition_bias, model.rnn_init_hidden.abs().sum().item())
    model.save(name + ".uisrnn")
    other = uisrnn.UISRNN(model_args)
    try:
        other.load(name + ".uisrnn")
    except Exception as error:
        print(type(error).__name__, str(error)[:80])
        other = model
    say(name + " predict", *other.predict(speakers(9, 6)[0], inference_args))
    keep(name, model.rnn_model)


say("bias", *utils.estimate_transition_bias([["a", "a", "b"], ["a", "b", "b", "a"]]))
attempt("estimated", lambda: run("estimated", 1, None, 5))
attempt("deep", lambda: run("deep", 2, 0.1, 4))
