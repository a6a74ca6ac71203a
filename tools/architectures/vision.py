"""Architectures of ``timm``, one of each of its families, and of ``torchvision``."""

from __future__ import annotations

import functools

from architectures import Architectures, Example, called_with, images

# The smallest of each family; those that take any image size get smaller images than they were made for.
TIMM = """
    beit_base_patch16_224 eca_botnext26ts_256 mobileone_s1 cait_xxs24_224 coat_tiny convit_tiny
    convmixer_1024_20_ks9_p14 convnext_atto_rms cpubone_nano crossvit_tiny_240 csatv2 cs3darknet_focus_s
    cspnext_tiny davit_tiny deit_tiny_patch16_224 densenet121 dla34 dpn48b edgenext_xx_small efficientformer_l1
    efficientformerv2_s0 efficientnet_b0 efficientvim_m1 efficientvit_b0 efficientvit_m0 eva02_tiny_patch14_224
    fasternet_t0 fastvit_t8 focalnet_tiny_srf gcvit_xxtiny ghostnet_050 hardcorenas_b hgnetv2_b0 hiera_tiny_224
    hrnet_w18_small iformer_t inception_next_atto inception_v3 lcnetv2_small levit_128s lowformer_b0 test_mambaout
    coatnet_pico_rw_224 poolformer_s12 mixer_s16_224 lcnet_035 mobilenetv3_small_050 mobilevit_xxs mobilevitv2_050
    mvitv2_tiny nest_tiny nextvit_small test_nfnet pit_xs_224 pvt_v2_b0 rdnet_tiny regnetx_002 repghostnet_050
    repvgg_a0 repvit_m0_9 res2net50_14w_8s resnest14d resnet10t resnetv2_18 rexnet_100 selecsls42 legacy_seresnet18
    sequencer2d_s shvit_s1 skresnet18 starnet_s050 swiftformer_xs swin_tiny_patch4_window7_224 swinv2_cr_tiny_224
    tiny_vit_5m_224 tnt_s_patch16_224 twins_svt_small vgg11_bn visformer_tiny test_vit test_vit_relpos
    vitamin_small_224 volo_d1_224 ese_vovnet19b_slim_dw legacy_xception xception41 xcit_nano_12_p16_224
""".split()  # noqa: SIM905
TORCHVISION = """
    alexnet convnext_tiny densenet121 efficientnet_b0 googlenet inception_v3 maxvit_t mnasnet0_5 mobilenet_v2
    mobilenet_v3_small regnet_x_400mf resnet18 resnext50_32x4d shufflenet_v2_x0_5 squeezenet1_0 swin_t swin_v2_t
    vgg11 wide_resnet50_2 lraspp_mobilenet_v3_large deeplabv3_mobilenet_v3_large
""".split()  # noqa: SIM905
_SMALLEST = 96
# What these take no smaller images than, in pixels.
_SIZES = {"inception_v3": 299, "maxvit_t": 224, "googlenet": 96}


def _timm(name: str) -> Example:
    import timm

    model = timm.create_model(name, pretrained=False, num_classes=10)
    config = model.default_cfg
    size = config["input_size"][-1]
    if not config.get("fixed_input_size"):
        size = min(size, max(_SMALLEST, _SIZES.get(name, 0)))
    return Example(model, called_with(images(1, size)), called_with(images(2, size)))


def _torchvision(name: str) -> Example:
    import torchvision

    model = torchvision.models.get_model(name, weights=None)
    size = _SIZES.get(name, _SMALLEST)
    return Example(model, called_with(images(2, size)), called_with(images(3, size)))


def architectures() -> Architectures:
    """By ``timm/<name>`` and ``torchvision/<name>``."""
    makers = ((_timm, TIMM, "timm"), (_torchvision, TORCHVISION, "torchvision"))
    return {f"{library}/{name}": functools.partial(make, name) for make, names, library in makers for name in names}
