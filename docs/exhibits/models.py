"""A dozen architectures, watched: what torch.compile makes of each is in a directory of its own."""

import json
import sys
import warnings
from pathlib import Path

import depyf

# The architectures of `make models` that need nothing but torch.
sys.path.insert(0, str(Path(depyf.__file__).parents[2] / "tools"))
from architectures import classic
from architectures.artifacts import write_artifacts

CHOSEN = [
    "lenet", "u_net", "graph_convolutions", "recommender", "wave_network", "siamese_towers", "transformer_encoder",
    "attention_translator", "mixture_of_experts", "adaptive_computation", "changing_memory", "capsules",
]  # fmt: skip

warnings.simplefilter("ignore")
architectures = classic.architectures()
write_artifacts({f"classic/{name}": architectures[f"classic/{name}"] for name in CHOSEN}, Path("dump"))
Path("facts.json").write_text(json.dumps({"models": len(CHOSEN)}))
