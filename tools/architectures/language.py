"""Architectures of the ``transformers`` library, their configurations shrunk by the meaning of their numbers.

hidden_size 4096, num_hidden_layers 32, vocab_size 32000, ...   =>   32, 2, 99, ...
"""

from __future__ import annotations

import functools
from typing import Any, Dict, List, Sequence, Tuple

import torch

from architectures import Architectures, Example, called_with, images, tokens

_WIDTH, _INNER, _HEADS, _LAYERS, _VOCABULARY = 32, 64, 4, 2, 99
# What the numbers of a configuration mean; all others are left alone.
_SMALL: Sequence[Tuple[int, Tuple[str, ...]]] = (
    (_WIDTH, (
        "hidden_size", "d_model", "n_embd", "dim", "embedding_size", "emb_dim", "embed_dim", "projection_dim", "width",
        "text_embed_dim", "decoder_hidden_size", "hidden_dim", "vision_embed_dim",
    )),
    (_INNER, (
        "intermediate_size", "ffn_dim", "d_ff", "encoder_ffn_dim", "decoder_ffn_dim", "n_inner", "dim_feedforward",
        "ffn_hidden_size", "moe_intermediate_size", "shared_expert_intermediate_size", "hidden_dim_ff", "d_inner",
        "decoder_intermediate_size",
    )),
    (_HEADS, (
        "num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads", "decoder_attention_heads",
        "num_key_value_heads", "num_kv_heads", "n_kv_heads", "decoder_num_attention_heads", "num_local_experts",
        "num_experts", "n_routed_experts",
    )),
    (_LAYERS, (
        "num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers", "decoder_layers",
        "num_decoder_layers", "decoder_num_hidden_layers", "num_experts_per_tok",
    )),
    (_VOCABULARY, ("vocab_size", "text_vocab_size")),
    (8, ("head_dim", "d_kv", "qk_nope_head_dim", "v_head_dim", "kv_lora_rank", "q_lora_rank", "qk_rope_head_dim")),
    (128, ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len")),
    (32, ("image_size",)),
    (16, ("state_size",)),
)  # fmt: skip
_SIZES = {name: size for size, names in _SMALL for name in names}
_SPECIAL = ("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id", "sep_token_id", "cls_token_id")

# Which layout of inputs a model type takes.
TEXT = """
    afmoe albert apertus arcee bert bert-generation big_bird biogpt bitnet bloom camembert cohere cohere2 convbert
    ctrl cwm data2vec-text deberta deberta-v2 deepseek_v3 diffllama distilbert doge electra ernie ernie4_5
    ernie4_5_moe eurobert exaone4 falcon falcon_h1 falcon_mamba flaubert flex_olmo fnet gemma gemma2 gemma3_text glm
    glm4 glm4_moe gpt2 gpt_bigcode gpt_neox gpt_neox_japanese gpt_oss granite granitemoe granitemoeshared helium
    ibert jetmoe layoutlm lfm2 llama longformer mamba megatron-bert minimax mistral mixtral mobilebert modernbert
    modernbert-decoder mpnet mpt mra nystromformer olmo olmo2 olmo3 olmoe openai-gpt opt persimmon phi phi3 phimoe
    qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next rembert roberta roberta-prelayernorm roc_bert roformer rwkv seed_oss
    smollm3 splinter squeezebert stablelm starcoder2 vaultgemma xglm xlm xlm-roberta xlm-roberta-xl xlnet
""".split()  # noqa: SIM905
SEQUENCE_TO_SEQUENCE = """
    bart bigbird_pegasus blenderbot blenderbot-small fsmt led longt5 m2m_100 marian mbart mt5 mvp nllb-moe pegasus
    pegasus_x plbart prophetnet switch_transformers t5 t5gemma umt5
""".split()  # noqa: SIM905
IMAGE = """
    beit bit convnext convnextv2 cvt data2vec-vision deit dinov2 dinov2_with_registers dinov3_convnext dinov3_vit
    dpt focalnet glpn hiera ijepa levit mobilenet_v1 mobilenet_v2 mobilevit poolformer pvt pvt_v2 regnet resnet
    segformer siglip_vision_model swiftformer textnet vit vit_mae vit_msn vitdet clip_vision_model yolos
""".split()  # noqa: SIM905
BOTH = "altclip blip chinese_clip clip clipseg groupvit owlvit siglip".split()  # noqa: SIM905
SOUND = "data2vec-audio hubert sew sew-d unispeech unispeech-sat wav2vec2 wav2vec2-conformer wavlm".split()  # noqa: SIM905


def _shrunk(config: Any) -> Any:
    """A configuration of the same class with small numbers, also in the configurations inside of it."""
    smaller: Dict[str, Any] = {}
    for name, value in config.to_dict().items():
        if type(value) is int and name in _SIZES:
            smaller[name] = min(value, _SIZES[name]) or value
        elif type(value) is int and name in _SPECIAL:
            smaller[name] = min(value, 3) if value >= 0 else value
        elif name in ("layer_types", "mlp_layer_types", "layers_block_type") and isinstance(value, list):
            smaller[name] = [value[0], value[-1]]
        elif hasattr(getattr(config, name, None), "to_dict"):
            smaller[name] = _shrunk(getattr(config, name)).to_dict()
    return type(config)(**smaller)


def _model(kind: str) -> Tuple[torch.nn.Module, Any]:
    from transformers import AutoConfig, AutoModel

    config = _shrunk(AutoConfig.for_model(kind))
    return AutoModel.from_config(config), config


def _vocabulary(config: Any) -> int:
    return int(getattr(config, "vocab_size", None) or getattr(config.get_text_config(), "vocab_size", _VOCABULARY))


def _text(kind: str) -> Example:
    model, config = _model(kind)
    words = min(_vocabulary(config), _VOCABULARY)
    one, two = tokens(2, 16, words), tokens(3, 24, words)
    return Example(model, called_with(input_ids=one), called_with(input_ids=two))


def _translation(kind: str) -> Example:
    model, config = _model(kind)
    words = min(_vocabulary(config), _VOCABULARY)

    def call(batch: int, source: int, target: int) -> Dict[str, Any]:
        return called_with(input_ids=tokens(batch, source, words), decoder_input_ids=tokens(batch, target, words))

    return Example(model, call(2, 16, 8), call(3, 24, 9))


def _image(kind: str) -> Example:
    model, config = _model(kind)
    size = getattr(config, "image_size", None)
    size = size if isinstance(size, int) else size[0] if isinstance(size, (list, tuple)) else 64
    return Example(model, called_with(pixel_values=images(1, size)), called_with(pixel_values=images(3, size)))


def _both(kind: str) -> Example:
    model, config = _model(kind)
    vision = getattr(config, "vision_config", config)
    size = vision.image_size

    def call(batch: int) -> Dict[str, Any]:
        words = tokens(batch, 8, _VOCABULARY)
        words[:, -1] = config.get_text_config().eos_token_id or 1
        return called_with(input_ids=words, pixel_values=images(batch, size))

    return Example(model, call(2), call(3))


def _sound(kind: str) -> Example:
    model, _config = _model(kind)
    return Example(model, called_with(torch.randn(1, 4000)), called_with(torch.randn(2, 6000)))


_LAYOUTS: List[Tuple[List[str], Any]] = [
    (TEXT, _text), (SEQUENCE_TO_SEQUENCE, _translation), (IMAGE, _image), (BOTH, _both), (SOUND, _sound),
]  # fmt: skip


def architectures() -> Architectures:
    """By ``transformers/<model type>``."""
    return {f"transformers/{kind}": functools.partial(layout, kind) for kinds, layout in _LAYOUTS for kind in kinds}
