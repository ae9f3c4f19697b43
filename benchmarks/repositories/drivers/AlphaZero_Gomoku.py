import random
import numpy as np
import train as module
from policy_value_net_pytorch import PolicyValueNet
from probe import array, attempt, keep, say


def run():
    random.seed(2)
    np.random.seed(2)
    pipeline = module.TrainPipeline()
    pipeline.run()
    keep("model", pipeline.policy_value_net.policy_value_net)
    say("lengths", pipeline.episode_len, len(pipeline.data_buffer), pipeline.lr_multiplier, pipeline.best_win_ratio)
    again = PolicyValueNet(6, 6, model_file="./current_policy.model")
    chances, value = again.policy_value(array(3, 2, 4, 6, 6).numpy())
    say("again", *chances[0][:4], *value.flatten())
    board = pipeline.board
    board.init_board(0)
    for move in (3, 8, 9):
        board.do_move(move)
    found, value = again.policy_value_fn(board)
    say("moves", value, *(chance for move, chance in found))


attempt("train", run)
