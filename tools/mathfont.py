"""A font for formulas, which browsers need to stretch braces and to keep limits off their sums.

It is the part of matplotlib's DejaVu Serif that formulas use. That font has the pieces of tall
braces and large sums in its table MATH, but no distances: MEASURES sets them, after the habits of
TeX. Its licence allows changed copies under another name, and goes with them.
"""

import base64
import copy
import io
from functools import cache
from pathlib import Path

import matplotlib
from fontTools import subset
from fontTools.ttLib.tables import otTables

NAME = "ukrlearn math"
LETTERS = (  # of Unicode, first and last: text, Greek, operators, pieces, slanted letters
    *((0x20, 0x7E), (0xA0, 0xFF), (0x2C6, 0x2DC), (0x391, 0x3C9), (0x3D5, 0x3F5), (0x2016, 0x2032)),
    *((0x210E, 0x211D), (0x2190, 0x21D2), (0x2200, 0x22EF), (0x2308, 0x230B), (0x239B, 0x23B7)),
    *((0x27E8, 0x27E9), (0x1D434, 0x1D467), (0x1D6E2, 0x1D71B)),
)
MEASURES = """
DisplayOperatorMinHeight 1200 ScriptPercentScaleDown 72 ScriptScriptPercentScaleDown 55
SubscriptShiftDown 210 SubscriptTopMax 400 SubscriptBaselineDropMin 160 SuperscriptShiftUp 380
SuperscriptShiftUpCramped 310 SuperscriptBottomMin 130 SuperscriptBaselineDropMax 230
SubSuperscriptGapMin 180 SuperscriptBottomMaxWithSubscript 400 SpaceAfterScript 50
UpperLimitGapMin 130 UpperLimitBaselineRiseMin 170 LowerLimitGapMin 150 LowerLimitBaselineDropMin
500 StackTopShiftUp 450 StackTopDisplayStyleShiftUp 680 StackBottomShiftDown 350
StackBottomDisplayStyleShiftDown 690 StackGapMin 130 StackDisplayStyleGapMin 300
FractionNumeratorShiftUp 400 FractionNumeratorDisplayStyleShiftUp 680 FractionDenominatorShiftDown
350 FractionDenominatorDisplayStyleShiftDown 690 FractionNumeratorGapMin 60
FractionNumDisplayStyleGapMin 130 FractionDenominatorGapMin 60 FractionDenomDisplayStyleGapMin 130
FractionRuleThickness 50 RadicalVerticalGap 60 RadicalDisplayStyleVerticalGap 130
RadicalRuleThickness 50 RadicalExtraAscender 50 OverbarVerticalGap 120 OverbarRuleThickness 50
"""  # thousandths of an em, and per cent


TALL = (1, 1.35, 1.8, 2.4)  # heights of roots, in place of pieces that do not meet
MEET = 700  # of the straight ends of pieces, as much may overlap
PIECED = ("brace", "bracket", "bar", "uni2016")


@cache
def face():
    """The font as a rule of a style sheet."""
    options = subset.Options(
        flavor="woff",
        layout_features=[],
        hinting=False,
        glyph_names=True,
        name_IDs=[0, 1, 4, 6, 13],
        drop_tables=["FFTM", "GDEF", "GPOS", "GSUB", "kern"],
    )
    path = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSerif.ttf"
    font = subset.load_font(path, options)
    wanted = subset.Subsetter(options)
    wanted.populate(unicodes=[k for first, last in LETTERS for k in range(first, last + 1)])
    wanted.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = NAME.replace(" ", "-")
    _measure(font["MATH"].table.MathConstants, font["head"].unitsPerEm / 1000)
    _stretch(font, font["MATH"].table.MathVariants)
    font.flavor = "woff"
    font.save(made := io.BytesIO())
    font.close()
    data = base64.b64encode(made.getvalue()).decode()
    return f'@font-face{{font-family:"{NAME}";src:url(data:font/woff;base64,{data})}}\n'


def _measure(constants, unit):
    words = MEASURES.split()
    for name, value in zip(words[::2], map(int, words[1::2]), strict=True):
        if name.endswith("PercentScaleDown"):
            setattr(constants, name, value)
        elif name == "DisplayOperatorMinHeight":
            constants.DisplayOperatorMinHeight = round(value * unit)
        else:
            getattr(constants, name).Value = round(value * unit)


def _stretch(font, variants):
    """Pieces that overlap, so that no seam shows, and taller roots."""
    made = dict(zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True))
    for name, construction in made.items():
        if name.startswith(PIECED):
            for part in construction.GlyphAssembly.PartRecords:
                part.StartConnectorLength = min(part.StartConnectorLength * MEET, MEET)
                part.EndConnectorLength = min(part.EndConnectorLength * MEET, MEET)
    root, records = made["radical"], []
    root.GlyphAssembly = None
    for number, times in enumerate(TALL):
        record = otTables.MathGlyphVariantRecord()
        record.VariantGlyph = f"radical.{number}" if number else "radical"
        if number:
            glyph = copy.deepcopy(font["glyf"]["radical"])
            glyph.coordinates.scale((1, times))
            glyph.recalcBounds(font["glyf"])
            font["glyf"][record.VariantGlyph] = glyph
            font["hmtx"][record.VariantGlyph] = font["hmtx"]["radical"]
        shape = font["glyf"][record.VariantGlyph]
        record.AdvanceMeasurement = shape.yMax - shape.yMin
        records.append(record)
    root.MathGlyphVariantRecord, root.VariantCount = records, len(records)
