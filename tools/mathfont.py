"""A font for formulas, which browsers need to stretch braces and to keep limits off their sums.

It is the part of matplotlib's DejaVu Serif that formulas use. That font has the pieces of tall
braces and large sums in its table MATH, but no distances: MEASURES sets them, after the habits of
TeX. Its licence allows changed copies under another name, and goes with them.
"""

import base64
import copy
import io
from pathlib import Path

import matplotlib
from fontTools import subset
from fontTools.ttLib.tables import otTables

NAME = "ukrlearn math"
ALWAYS = "(){}[]|‖√∑∏∫"  # they stretch
SLANTED = (0x210E, *range(0x1D434, 0x1D468))  # in whose place browsers put letters
MEASURES = """
DisplayOperatorMinHeight 2458 ScriptPercentScaleDown 72 ScriptScriptPercentScaleDown 55
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
"""  # thousandths of an em; per cent; and a height in units of the font
TALL = (1, 1.35, 1.8, 2.4)  # heights of roots, in place of pieces that do not meet
MEET = 700  # of the straight ends of pieces, as much may overlap
PIECED = ("brace", "bracket", "bar", "uni2016")


def face(letters):
    """The font with these letters, as a rule of a style sheet."""
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 4, 6, 13])
    options.drop_tables += ["FFTM"]
    path = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSerif.ttf"
    font = subset.load_font(path, options)
    wanted = subset.Subsetter(options)
    wanted.populate(unicodes={*map(ord, letters), *map(ord, ALWAYS), *SLANTED})
    wanted.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = NAME.replace(" ", "-")
    font["MATH"].ensureDecompiled(recurse=True)  # else reading one value forgets those set before
    constants, words = font["MATH"].table.MathConstants, MEASURES.split()
    for name, value in zip(words[::2], map(int, words[1::2]), strict=True):
        if name.endswith(("PercentScaleDown", "MinHeight")):
            setattr(constants, name, value)
        else:
            getattr(constants, name).Value = round(value * font["head"].unitsPerEm / 1000)
    _stretch(font, font["MATH"].table.MathVariants)
    font.flavor = "woff"
    font.save(made := io.BytesIO())
    font.close()
    data = base64.b64encode(made.getvalue()).decode()
    return f'@font-face{{font-family:"{NAME}";src:url(data:font/woff;base64,{data})}}\n'


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
