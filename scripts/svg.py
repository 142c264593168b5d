"""The frame that figures and plots share: an SVG that is readable on light and on dark pages."""
import html

LIGHT = {"page": "#ffffff", "ink": "#1c2530", "soft": "#5a6675", "line": "#cfd6de", "main": "#00796b", "other": "#9aa5b1",
         "plus": "#1565c0", "minus": "#ad4e00", "wrong": "#c62828", "fill": "#e0f2f1"}
DARK = {"page": "#1e2129", "ink": "#e6e9ee", "soft": "#a3adba", "line": "#434a57", "main": "#4db6ac", "other": "#6b7684",
        "plus": "#82b1ff", "minus": "#ffb74d", "wrong": "#ff8a80", "fill": "#24403d"}
SANS = '"DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif'
MONO = '"DejaVu Sans Mono", Menlo, Consolas, monospace'


def colours(theme):
    return "".join(f" .{name} {{ fill: {value}; }} .s-{name} {{ stroke: {value}; }}" for name, value in theme.items())


class Svg:
    """Collects elements; classes name colours: `ink` fills with one, `s-ink` strokes with one."""

    def __init__(self, width, height, title, description):
        self.size = (width, height)
        self.elements = []
        self.head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
                     f'role="img" aria-labelledby="title desc">\n'
                     f'  <title id="title">{html.escape(title)}</title>\n  <desc id="desc">{html.escape(description)}</desc>\n'
                     f"  <style>\n    text {{ font: 14px {SANS}; }} .mono {{ font: 16px {MONO}; }} .small {{ font-size: 12px; }}\n"
                     f"    .bold {{ font-weight: 600; }} .none {{ fill: none; }} .start {{ text-anchor: start; }}\n"
                     f"    .middle {{ text-anchor: middle; }} .end {{ text-anchor: end; }}\n"
                     f"   {colours(LIGHT)}\n    @media (prefers-color-scheme: dark) {{{colours(DARK)} }}\n  </style>\n")
        self.rect(0, 0, width, height, "page", radius=8)

    def rect(self, x, y, width, height, kind, radius=3):
        self.elements.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}"/>')

    def line(self, x1, y1, x2, y2, kind, width=1):
        self.elements.append(f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke-width="{width}"/>')

    def path(self, points, kind, width=2):
        d = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.elements.append(f'<path class="none {kind}" d="{d}" stroke-width="{width}"/>')

    def circle(self, x, y, radius, kind):
        self.elements.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>')

    def text(self, x, y, words, kind="ink"):
        self.elements.append(f'<text class="{kind}" x="{x:g}" y="{y:g}">{html.escape(words)}</text>')

    def print(self):
        return self.head + "".join(f"  {element}\n" for element in self.elements) + "</svg>\n"
