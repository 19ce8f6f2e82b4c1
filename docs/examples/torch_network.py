"""A network of PyTorch that learns a game by playing against itself.

In: the name of a game or its file. Out: as `self_play.py`, whose search and training this uses. The
arrays of an environment are PyTorch's without a copy: both look at the same memory.

Run as `python docs/examples/torch_network.py connect-four`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from self_play import Array, asked_for, options, train

try:
    import torch
    from torch.nn import Linear, ReLU, Sequential
    from torch.nn.functional import cross_entropy, mse_loss
except ModuleNotFoundError:
    raise SystemExit("PyTorch is not installed, nor by `gdl[rl]`: `pip install torch`.") from None


class TorchNetwork(torch.nn.Module):
    """Two layers: from what is seen to priors of actions and a value from -1 to 1."""

    def __init__(self, inputs: int, actions: int, hidden: int = 128, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.body = Sequential(Linear(inputs, hidden), ReLU())
        self.policy, self.value = Linear(hidden, actions), Linear(hidden, 1)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=0.002)

    def forward(self, inputs: Any, mask: Any) -> tuple[Any, Any]:
        """Return logits and values."""
        hidden = self.body(inputs)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)
        return logits, torch.tanh(self.value(hidden))[:, 0]

    def __call__(self, observation: Array, scalars: Array, mask: Array) -> tuple[Array, Array]:
        """Return priors and values of what is seen, as a search asks for them."""
        planes = torch.from_numpy(observation).flatten(1).float()
        with torch.inference_mode():
            inputs = torch.cat([planes, torch.from_numpy(scalars)], dim=1)
            logits, values = self.forward(inputs, torch.from_numpy(mask))
            return logits.softmax(1).numpy(), values.numpy()

    def learn(self, inputs: Array, mask: Array, wanted: Array, results: Array) -> None:
        """Take a step towards what the search chose and how games ended."""
        given = (
            np.ascontiguousarray(array, np.float32) for array in (inputs, mask, wanted, results)
        )
        seen, legal, chosen, ended = map(torch.from_numpy, given)
        logits, values = self.forward(seen, legal)
        self.optimizer.zero_grad()
        (cross_entropy(logits, chosen) + mse_loss(values, ended)).backward()
        self.optimizer.step()


if __name__ == "__main__":
    asked = vars(asked_for(options(), is_plain=True))
    train(asked.pop("game"), make=TorchNetwork, **asked)
