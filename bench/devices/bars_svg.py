"""Draw bars as SVG: for each layout, the bytes that native ops move and the bytes that opgen's ops
move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

LEFT, PANEL, GAP, TOP = 104, 190, 28, 42
BAR, SPACE = 7, 12  # the height of a bar, and the space between two layouts
TERA = 1e12

STYLE = """\
  <!-- Lines of a middle grey: readable on a light and on a dark page. -->
  <style>
    text { font-family: system-ui, "DejaVu Sans", sans-serif; fill: #808080; font-size: 12px }
    .native { fill: #9aa3ad }
    .opgen { fill: #2f7fc4 }
    .axis { stroke: #808080 }
  </style>"""

# The bars of one layout: the bytes, the CSS class and the title of each bar.
Bars = Sequence[tuple[float, str, str]]


def bars(panels: Mapping[str, Mapping[str, Bars]], title: str) -> str:
    """Return an SVG picture with a panel for each framework, and a row of bars for each layout.

    All panels have the same scale.
    """
    rows = [*next(iter(panels.values()))]
    most = max(size for panel in panels.values() for row in panel.values() for size, *_ in row)
    count = max(len(row) for panel in panels.values() for row in panel.values())
    height = TOP + len(rows) * (count * BAR + SPACE) + 22
    width = LEFT + len(panels) * (PANEL + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"  <title>{escape(title)}</title>",
        STYLE,
    ]
    for place, (name, color) in enumerate((("native ops", "native"), ("opgen", "opgen"))):
        x = LEFT + place * 110
        parts.append(f'  <rect class="{color}" x="{x}" y="4" width="10" height="10"/>')
        parts.append(f'  <text x="{x + 15}" y="13">{name}</text>')
    for line, name in enumerate(rows):
        y = TOP + line * (count * BAR + SPACE)
        middle = y + count * BAR / 2 + 4
        parts.append(f'  <text x="{LEFT - 8}" y="{middle}" text-anchor="end">{name}</text>')
    for place, (framework, panel) in enumerate(panels.items()):
        left = LEFT + place * (PANEL + GAP)
        bottom = height - 20
        parts.append(f'  <text x="{left}" y="{TOP - 10}">{framework}</text>')
        parts.append(f'  <path class="axis" d="M{left} {TOP - 4}V{bottom}"/>')
        end = f"{most / TERA:.1f} TB"
        parts.append(f'  <text x="{left + PANEL}" y="{height - 6}" text-anchor="end">{end}</text>')
        parts.append(f'  <text x="{left}" y="{height - 6}">0</text>')
        for line, name in enumerate(rows):
            y = TOP + line * (count * BAR + SPACE)
            for which, (size, color, what) in enumerate(panel[name]):
                length = round(PANEL * size / most, 1)
                at = f'x="{left}" y="{y + which * BAR}" width="{length}" height="{BAR - 1}"'
                parts.append(f'  <rect class="{color}" {at}><title>{escape(what)}</title></rect>')
    return "\n".join([*parts, "</svg>"]) + "\n"
