"""LaTeX formulas as MathML, which browsers draw and screen readers speak: no script, no address.

The subset that the lessons use. What is not in it is a ValueError with the name of the command: add
it to the tables below.
"""

import re
from html import escape
from typing import NamedTuple

LETTERS = dict(
    alpha="α", beta="β", gamma="γ", delta="δ", epsilon="ϵ", varepsilon="ε", zeta="ζ", eta="η",
    theta="θ", kappa="κ", lambda_="λ", mu="μ", nu="ν", xi="ξ", pi="π", rho="ρ", sigma="σ", tau="τ",
    phi="ϕ", varphi="φ", chi="χ", psi="ψ", omega="ω", Gamma="Γ", Delta="Δ", Theta="Θ", Lambda="Λ",
    Xi="Ξ", Pi="Π", Sigma="Σ", Phi="Φ", Psi="Ψ", Omega="Ω", infty="∞", partial="∂", nabla="∇",
    ell="ℓ", emptyset="∅", top="⊤", dots="…", ldots="…", cdots="⋯", vdots="⋮", hbar="ℏ",
)  # fmt: skip
OPERATORS = dict(
    le="≤", leq="≤", ge="≥", geq="≥", ne="≠", neq="≠", to="→", rightarrow="→", leftarrow="←",
    mapsto="↦", Rightarrow="⇒", Leftrightarrow="⇔", iff="⇔", cdot="⋅", times="×", pm="±", mp="∓",
    approx="≈", equiv="≡", sim="∼", propto="∝", ll="≪", gg="≫", subset="⊂", subseteq="⊆", cup="∪",
    cap="∩", setminus="∖", forall="∀", exists="∃", mid="∣", circ="∘", odot="⊙", otimes="⊗",
    oplus="⊕", perp="⊥", star="⋆", notin="∉", colon=":",
)  # fmt: skip
OPERATORS |= {"in": "∈", "{": "{", "}": "}", "%": "%", "#": "#", "$": "$", "_": "_", "&": "&"}
FENCES = {"|": "‖", "{": "{", "}": "}", "langle": "⟨", "rangle": "⟩", "lVert": "‖", "rVert": "‖"}
FENCES |= {"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lvert": "|", "rvert": "|"}
LARGE = {"sum": "∑", "prod": "∏", "int": "∫", "bigcup": "⋃", "bigcap": "⋂"}
FUNCTIONS = "log ln exp sin cos tan tanh sinh cosh det dim diag tr rank".split()
LIMITS = "min max arg lim inf sup argmin argmax".split()  # what stands under them
SPACES = {",": 0.17, ":": 0.22, ";": 0.28, " ": 0.28, "!": -0.17, "quad": 1, "qquad": 2}
ACCENTS = {"hat": "^", "bar": "¯", "tilde": "~", "vec": "→", "dot": "˙", "overline": "¯"}
ACCENTS |= {"widehat": "^", "widetilde": "~"}
SIZES = {"big": 1.2, "Big": 1.8, "bigg": 2.4, "Bigg": 3}
# Whole alphabets begin here; the letters that Unicode had before stand elsewhere.
ALPHABETS = {"mathcal": 0x1D49C, "mathbb": 0x1D538}
ELSEWHERE = {
    "mathcal": dict(B="ℬ", E="ℰ", F="ℱ", H="ℋ", I="ℐ", L="ℒ", M="ℳ", R="ℛ"),
    "mathbb": dict(C="ℂ", H="ℍ", N="ℕ", P="ℙ", Q="ℚ", R="ℝ", Z="ℤ"),
}

_BAR = '<mo stretchy="false" lspace="0" rspace="0">{}</mo>'  # opening and closing look the same
_TOKEN = re.compile(r"\\(?:[a-zA-Z]+\*?|.)|[0-9]+(?:\.[0-9]+)?|\.[0-9]+|\S", re.DOTALL)


class Formula(NamedTuple):
    """A formula as MathML, and the number that its \\tag gives it."""

    mathml: str
    tag: str = ""


def formula(latex, display=False) -> Formula:
    """The MathML of a formula.

    >>> formula("x_n^2").mathml
    '<math alttext="x_n^2"><msubsup><mi>x</mi><mi>n</mi><mn>2</mn></msubsup></math>'
    """
    reader = _Reader(latex)
    row = reader.row(until=None)
    block = ' display="block"' if display else ""
    return Formula(f'<math{block} alttext="{escape(latex.strip())}">{row}</math>', reader.tag)


class _Reader:
    """Reads one formula from left to right."""

    def __init__(self, latex):
        self.latex, self.tag = latex, ""
        self.tokens = [(match[0], match.start()) for match in _TOKEN.finditer(latex)]
        self.place = 0

    def peek(self):
        return self.tokens[self.place][0] if self.place < len(self.tokens) else None

    def next(self):
        token = self.peek()
        if token is None:
            raise ValueError(f"the formula {self.latex!r} ends too early.")
        self.place += 1
        return token

    def row(self, until):
        """Everything up to a closing token, which is read too."""
        parts = []
        while (token := self.peek()) != until:
            if token is None:
                raise ValueError(f"the formula {self.latex!r} lacks {until}.")
            parts.append(self.scripted())
        if until is not None:
            self.next()
        return "".join(parts)

    def group(self):
        """The argument of a command: a group in braces, or one symbol."""
        token, start = self.tokens[self.place] if self.peek() else ("", 0)
        if token[:1].isdigit():  # of digits without braces TeX takes one
            self.tokens[self.place : self.place + 1] = [
                (digits, start) for digits in (token[0], token[1:]) if digits
            ]
        if token != "{":
            return self.atom()[0]
        self.next()
        return f"<mrow>{self.row('}')}</mrow>"

    def text(self):
        """An argument that is words: nothing in it is a formula, and blanks count."""
        start = self.tokens[self.place][1] + 1 if self.peek() == "{" else None
        if start is None:
            return self.next()
        depth = 0
        while True:
            token = self.next()
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth == 0:
                return self.latex[start : self.tokens[self.place - 1][1]]

    def scripted(self):
        """An atom with what stands above and below it."""
        base, under = self.atom()
        low = high = None
        primes = 0
        while self.peek() in ("^", "_", "'"):
            mark = self.next()
            if mark == "'":
                primes += 1
            elif mark == "_":
                low = self.group()
            else:
                high = self.group()
        if primes:
            marks = f"<mo>{'′' * primes}</mo>"
            high = marks if high is None else f"<mrow>{marks}{high}</mrow>"
        low, high = (
            part and re.sub(r"^<mrow>(<(\w+)[^<]*</\2>)</mrow>$", r"\1", part)
            for part in (low, high)
        )
        if low is None and high is None:
            return base
        sub, sup, both = ("munder", "mover", "munderover") if under else ("msub", "msup", "msubsup")
        if low is None:
            return f"<{sup}>{base}{high}</{sup}>"
        if high is None:
            return f"<{sub}>{base}{low}</{sub}>"
        return f"<{both}>{base}{low}{high}</{both}>"

    def atom(self):
        """The next symbol, and whether scripts go above and below it."""
        token = self.next()
        if token == "{":
            return f"<mrow>{self.row('}')}</mrow>", False
        if token.startswith("\\"):
            return self.command(token[1:])
        if token[0].isdigit() or (token[0] == "." and len(token) > 1):
            return f"<mn>{token}</mn>", False
        if token.isalpha():
            return f"<mi>{token}</mi>", False
        if token in "()[]":
            return f'<mo stretchy="false">{token}</mo>', False
        if token == "|":
            return _BAR.format("|"), False
        if token == "~":
            return '<mspace width="0.28em"/>', False
        return f"<mo>{ {'-': '−', '*': '∗'}.get(token, escape(token)) }</mo>", False

    def command(self, name):
        if name in LETTERS or f"{name}_" in LETTERS:
            return f"<mi>{LETTERS.get(name) or LETTERS[name + '_']}</mi>", False
        if FENCES.get(name) in ("|", "‖"):
            return _BAR.format(FENCES[name]), False
        if name in FENCES:
            return f'<mo stretchy="false">{FENCES[name]}</mo>', False
        if name in OPERATORS:
            return f"<mo>{escape(OPERATORS[name])}</mo>", False
        if name in LARGE:
            return f"<mo>{LARGE[name]}</mo>", name != "int"
        if name in FUNCTIONS or name in LIMITS:
            return f"<mi>{name}</mi><mo>\u2061</mo>" if name in FUNCTIONS else f"<mi>{name}</mi>", (
                name in LIMITS
            )
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}em"/>', False
        if name in ("frac", "tfrac", "dfrac"):
            style = {"tfrac": ' displaystyle="false"', "dfrac": ' displaystyle="true"'}.get(
                name, ""
            )
            above, below = self.group(), self.group()
            return f"<mfrac{style}>{above}{below}</mfrac>", False
        if name == "sqrt":
            return f"<msqrt>{self.group()}</msqrt>", False
        if name in ACCENTS:
            inner = self.group()
            return f'<mover accent="true">{inner}<mo>{ACCENTS[name]}</mo></mover>', False
        if name in ("mathbf", "boldsymbol", "bm"):
            return self.upright(' class="bold"'), False
        if name in ("mathrm", "operatorname", "operatorname*", "mathsf", "mathit", "rm"):
            return self.upright(""), name == "operatorname*"
        if name in ("text", "textrm", "mbox"):
            return f"<mtext>{escape(self.text())}</mtext>", False
        if name in ("textbf", "textit"):
            return f"<mtext>{escape(self.text())}</mtext>", False
        if name in ALPHABETS:
            letters = "".join(self.in_alphabet(name, letter) for letter in self.text())
            return f"<mi>{letters}</mi>", False
        if name == "left":
            opening, inner = self.fence(True), self.row("\\right")
            return f"<mrow>{opening}{inner}{self.fence(True)}</mrow>", False
        for size, times in SIZES.items():
            if re.fullmatch(f"{size}[lrm]?", name):
                return self.fence(True, times), False
        if name == "begin":
            return self.table(self.text()), False
        if name == "tag":
            self.tag = self.text()
            return "", False
        if name in ("limits", "nolimits", "displaystyle", "textstyle", "nonumber", "notag"):
            return "", False
        raise ValueError(
            f"\\{name} in the formula {self.latex!r} is not known; add it to tools/mathml.py."
        )

    def upright(self, look):
        """Letters as a name, not as a product; what is in it may be a Greek letter."""
        text = self.text()
        names = re.sub(
            r"\\([a-zA-Z]+)", lambda m: LETTERS.get(m[1]) or LETTERS.get(m[1] + "_", m[0]), text
        )
        return f'<mi mathvariant="normal"{look}>{escape(names)}</mi>'

    @staticmethod
    def in_alphabet(name, letter):
        if letter in ELSEWHERE[name]:
            return ELSEWHERE[name][letter]
        return chr(ALPHABETS[name] + ord(letter) - ord("A")) if "A" <= letter <= "Z" else letter

    def fence(self, stretchy, times=None):
        """The symbol after \\left, \\right or \\big; a point stands for none."""
        token = self.next()
        if token == ".":
            return ""
        symbol = FENCES.get(token[1:], token) if token.startswith("\\") else token
        size = f' minsize="{times}em" maxsize="{times}em"' if times else ""
        return f'<mo stretchy="true"{size}>{escape(symbol)}</mo>'

    def table(self, kind):
        """An environment with rows and columns."""
        fences = {"cases": ("{", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]")}
        if kind not in (*fences, "aligned", "align", "align*", "matrix", "array", "split"):
            raise ValueError(f"the environment {kind!r} is not known; add it to tools/mathml.py.")
        if kind == "array":
            self.text()
        rows, row, cell = [], [], []
        while (token := self.peek()) != "\\end":
            if token in ("&", "\\\\"):
                self.next()
                row.append("".join(cell))
                cell = []
                if token == "\\\\":
                    rows.append(row)
                    row = []
            else:
                cell.append(self.scripted())
        self.next()
        self.text()
        rows.append([*row, "".join(cell)])
        align = "aligned" if kind in ("aligned", "align", "align*", "split") else "plain"
        cells = "".join(
            f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>"
            for row in rows
            if any(row)
        )
        before, after = fences.get(kind, ("", ""))
        before, after = (f'<mo stretchy="true">{f}</mo>' if f else "" for f in (before, after))
        return f'<mrow>{before}<mtable class="{align}">{cells}</mtable>{after}</mrow>'
