import numpy as np
import scipy.optimize
import torch
from torch.autograd import Variable
from models import Policy, Value
from running_state import ZFilter
from trpo import trpo_step
from utils import get_flat_grad_from, get_flat_params_from, normal_log_density, set_flat_params_to
from probe import array, fill, keep, say

torch.set_default_tensor_type("torch.DoubleTensor")


def main():
    policy, value = Policy(4, 2), Value(4)
    fill(policy)
    fill(value, 1)
    for episode in range(2):
        rng = np.random.RandomState(episode)
        zfilter = ZFilter((4,), clip=5)
        states = torch.Tensor(np.array([zfilter(s) for s in rng.randn(20, 4)]))
        actions, rewards, masks = torch.Tensor(rng.randn(20, 2)), torch.Tensor(rng.randn(20)), torch.Tensor((rng.rand(20) > 0.2).astype("float64"))
        values = value(Variable(states))
        returns, advantages = torch.Tensor(20, 1), torch.Tensor(20, 1)
        before, previous, gain = 0, 0, 0
        for i in reversed(range(rewards.size(0))):
            returns[i] = rewards[i] + 0.99 * before * masks[i]
            delta = rewards[i] + 0.99 * previous * masks[i] - values.data[i]
            advantages[i] = delta + 0.99 * 0.95 * gain * masks[i]
            before, previous, gain = returns[i, 0], values.data[i, 0], advantages[i, 0]
        targets = Variable(returns)

        def get_value_loss(flat):
            set_flat_params_to(value, torch.Tensor(flat))
            for param in value.parameters():
                if param.grad is not None:
                    param.grad.data.fill_(0)
            loss = (value(Variable(states)) - targets).pow(2).mean()
            for param in value.parameters():
                loss += param.pow(2).sum() * 1e-3
            loss.backward()
            return (loss.data.double().numpy(), get_flat_grad_from(value).data.double().numpy())

        flat, best, _ = scipy.optimize.fmin_l_bfgs_b(get_value_loss, get_flat_params_from(value).double().numpy(), maxiter=5)
        set_flat_params_to(value, torch.Tensor(flat))
        say("value %d" % episode, best)
        advantages = (advantages - advantages.mean()) / advantages.std()
        means, log_stds, stds = policy(Variable(states))
        fixed = normal_log_density(Variable(actions), means, log_stds, stds).data.clone()

        def get_loss(volatile=False):
            if volatile:
                with torch.no_grad():
                    means, log_stds, stds = policy(Variable(states))
            else:
                means, log_stds, stds = policy(Variable(states))
            log_prob = normal_log_density(Variable(actions), means, log_stds, stds)
            return (-Variable(advantages) * torch.exp(log_prob - Variable(fixed))).mean()

        def get_kl():
            mean1, log_std1, std1 = policy(Variable(states))
            mean0, log_std0, std0 = Variable(mean1.data), Variable(log_std1.data), Variable(std1.data)
            kl = log_std1 - log_std0 + (std0.pow(2) + (mean0 - mean1).pow(2)) / (2.0 * std1.pow(2)) - 0.5
            return kl.sum(1, keepdim=True)

        loss = trpo_step(policy, get_loss, get_kl, 1e-2, 1e-1)
        say("policy %d" % episode, loss.item(), get_kl().mean().item())
    keep("policy", policy)


main()
