#!/usr/bin/env python3
"""Draws the figures of README.md, docs/meaning.md, docs/guides.md and kernels/guides/buckets/README.md into docs/pictures/.

    figures.py           write them
    figures.py --check   exit 1 if they are not what is there

The hits in them are what the program finds; tests/docs/test_pictures.py searches for them.
"""
import math
import pathlib
import sys

from svg import Svg

PICTURES = pathlib.Path(__file__).resolve().parents[1] / "docs/pictures"
COMPLEMENT = str.maketrans("ACGTR", "TGCAY")

# Each of these two has the text, the pattern, k, and the hits: start, end, strand, edits.
TWO_STRANDS = ("TTCGATAACAGCTCGCTGATGACAGGTCCGTAGTGTTATCGCT", "GATRACAGCT", 1,
               [(3, 13, "+", 0), (17, 27, "+", 1), (31, 40, "-", 1)])
REPORTS = ("AGCGTACTACTACGAGAATCTACACTAATCT", "TACTACTA", 1,
           {"all": [(3, 12, "+", 1), (4, 11, "+", 1), (4, 12, "+", 0), (4, 13, "+", 1), (5, 12, "+", 1), (7, 15, "+", 1),
                    (20, 27, "+", 1)],
            "sites": [(4, 12, "+", 0), (7, 15, "+", 1), (20, 27, "+", 1)],
            "minima": [(4, 12, "+", 0), (20, 27, "+", 1)],
            "best": [(4, 12, "+", 0)]})
# The text, the guide, its PAM, and the places with at most one mismatch or an RNA bulge of one base, as --hits has them: the kind, the two
# rows with the PAM, the first base, the strand, the mismatches and the size of the bulge.
GUIDE_PLACES = ("TTGACGTTACCATCGCATTGCAAGGACCATGCAATGCATGGTAACGTCTA", "GACGTTACCATGGCATTGCA", "NGG",
                [("X", "GACGTTACCATGGCATTGCANGG", "GACGTTACCATcGCATTGCAAGG", 2, "+", 1, 0),
                 ("RNA", "GACGTTACCATGGCATTGCANGG", "GACGTTACCAT-GCATTGCATGG", 26, "-", 0, 1)])

# A guide as the bases beyond its word and its word; words near that one; and, of sites with the last of these words, the other bases.
BUCKETS = ("CATGACCTGA", "GATTACAGTC", ["GATTACAGTC", "GATTACAGTA", "GATCACAGTC", "GCTTACAGTA"],
           ["CATGACCTGA", "CTTGACCTGA", "GGTACACTTA", "CATGACGTGC", "TATCACCAGA", "CATCACCTGA", "AGGTCCATGA", "CATGTCCTGT"])


def edits_of(number):
    return f"{number} edit" if number == 1 else f"{number} edits"


def draw_letters(svg, left, y, letters, step, kind):
    for i, letter in enumerate(letters):
        svg.text(left + (i + 0.5) * step, y, letter, f"mono middle {kind}")


def draw_ends(svg, left, right, y):
    """Writes 5' and 3' beside the two strands of a text that is drawn from `left` to `right`."""
    svg.text(left - 12, y, "5'", "small soft end")
    svg.text(left - 12, y + 24, "3'", "small soft end")
    svg.text(right + 10, y, "3'", "small soft")
    svg.text(right + 10, y + 24, "5'", "small soft")


def two_strands():
    text, pattern, k, hits = TWO_STRANDS
    step, left = 19, 70
    svg = Svg(left + len(text) * step + 50, 240, "Hits on both strands",
              f"The text {text} with the three hits of the pattern {pattern} with at most {k} edit: one without edits and one with "
              "a mismatch on strand +, one with a missing base on strand -.")
    svg.text(left, 30, f"pattern {pattern}, at most {edits_of(k)}, both strands; R stands for A or G", "ink bold")
    draw_ends(svg, left, left + len(text) * step, 126)
    for start, end, strand, _ in hits:
        svg.rect(left + start * step, 108 if strand == "+" else 134, (end - start) * step, 24, "fill")
    draw_letters(svg, left, 126, text, step, "ink")
    draw_letters(svg, left, 150, text.translate(COMPLEMENT), step, "soft")
    codes = {"R": "AG"}
    for start, end, _, edits in hits[:2]:
        svg.text(left + start * step, 62, f"strand +, {start} to {end}: {edits_of(edits)}" + (", a mismatch" if edits else ""), "small plus")
        for i, letter in enumerate(pattern):
            right = text[start + i] in codes.get(letter, letter)
            svg.text(left + (start + i + 0.5) * step, 88, letter, f"mono middle {'plus' if right else 'wrong bold'}")
            if right:
                svg.line(left + (start + i + 0.5) * step, 94, left + (start + i + 0.5) * step, 106, "s-plus")
    # On strand - the pattern reads from right to left; its base 7 has no partner in the text.
    start, end, _, edits = hits[2]
    kept = [(i, letter) for i, letter in enumerate(pattern) if i != 7]
    for place, (_, letter) in enumerate(kept):
        x = left + (end - place - 0.5) * step
        svg.line(x, 157, x, 169, "s-minus")
        svg.text(x, 186, letter, "mono middle minus")
    gap = left + (end - 7) * step
    svg.line(gap, 160, gap, 194, "s-wrong")
    svg.text(gap, 210, pattern[7], "mono middle wrong bold")
    svg.text(left + end * step, 228, f"strand -, {start} to {end}: {edits_of(edits)}, a base missing in the text", "small minus end")
    svg.text(left, 200, "shaded: what is reported as a hit", "small soft")
    return svg.print()


def draw_place(svg, left, step, place, pam, rows):
    """Draws the guide beside the text. `rows`: y of its letters, of the ends of the strokes, of the band in the text and of the words."""
    _, guide, found, start, strand, _, _ = place
    letters_y, strokes, band_y, words_y = rows
    length = len(found.replace("-", ""))
    plus = strand == "+"
    border = start + length - len(pam) if plus else start + len(pam)
    guide_start, pam_start = (start, border) if plus else (border, start)
    svg.rect(left + guide_start * step, band_y, (length - len(pam)) * step, 24, "fill")
    svg.rect(left + pam_start * step, band_y, len(pam) * step, 24, "fill")
    kind = "plus" if plus else "minus"
    at = start if plus else start + length - 1
    for i, (own, text) in enumerate(zip(guide, found)):
        if text == "-":  # a base of the guide that the text lacks stands between two of its bases
            x = left + (at + (0 if plus else 1)) * step
            svg.line(x, strokes[0], x, strokes[1] + 8, "s-wrong")
            svg.text(x, letters_y + 24, own, "mono middle wrong bold")
            continue
        x = left + (at + 0.5) * step
        in_pam = i >= len(guide) - len(pam)
        svg.text(x, letters_y, own, f"mono middle {'wrong bold' if text.islower() else 'main bold' if in_pam else kind}")
        if not text.islower():
            svg.line(x, strokes[0], x, strokes[1], f"s-{'main' if in_pam else kind}")
        at += 1 if plus else -1
    x = left + border * step
    svg.line(x, min(words_y + 4, band_y - 4), x, max(words_y - 12, band_y + 28), "s-ink", 2)
    svg.text(left + (guide_start + (length - len(pam)) / 2) * step, words_y, f"{len(guide) - len(pam)} bases of the guide", f"small middle {kind}")
    svg.text(left + (pam_start + len(pam) / 2) * step, words_y, "PAM", "small middle main bold")


def guide_places():
    text, guide, pam, (first, second) = GUIDE_PLACES
    step, left = 19, 70
    svg = Svg(left + len(text) * step + 50, 300, "A guide, its PAM and its places",
              f"The text {text} with two places of the guide {guide} beside its PAM {pam}: on strand + with a mismatch, on strand - with a base "
              "of the guide that the text lacks. A line marks the border between guide and PAM.")
    svg.text(left, 30, f"guide {guide}, PAM {pam} at its 3' end: two places", "ink bold")
    draw_ends(svg, left, left + len(text) * step, 146)
    draw_place(svg, left, step, first, pam, (108, (114, 126), 128, 84))
    draw_place(svg, left, step, second, pam, (206, (177, 189), 154, 248))
    draw_letters(svg, left, 146, text, step, "ink")
    draw_letters(svg, left, 170, text.translate(COMPLEMENT), step, "soft")
    for place, y in ((first, 62), (second, 274)):
        _, _, found, start, strand, mismatches, bulge = place
        end = start + len(found.replace("-", ""))
        says = "a mismatch" if mismatches else f"an RNA bulge of {bulge} base: the text lacks it"
        svg.text(left + start * step, y, f"place on strand {strand}, {start} to {end}: {says}", f"small {'plus' if strand == '+' else 'minus'}")
    svg.text(left + (len(text) - 1) * step, 84, "black line: the border between guide and PAM", "small soft end")
    return svg.print()


def rows_without_overlap(intervals):
    rows = []
    for interval in intervals:
        for row in rows:
            if row[-1][1] <= interval[0]:
                row.append(interval)
                break
        else:
            rows.append([interval])
    return rows


def reports():
    text, pattern, k, found = REPORTS
    step, left, y = 20, 110, 64
    says = {"all": "every candidate", "sites": "best of its start and of its end", "minima": "sites that no better site overlaps",
            "best": "fewest edits in the whole input"}
    rows = {name: rows_without_overlap(hits) for name, hits in found.items()}
    height = y + 36 + sum(len(r) * 18 + 40 for r in rows.values()) - 14
    svg = Svg(left + len(text) * step + 30, height, "What --report chooses",
              f"The text {text}, and for the pattern {pattern} with at most {k} edit the hits of --report all, sites, minima and best.")
    svg.text(left, 30, f"pattern {pattern}, -k {k}, strand +: the hits of each --report, with their edits", "ink bold")
    draw_letters(svg, left, y, text, step, "ink")
    for name, lines in rows.items():
        y += 16
        svg.line(20, y, left + len(text) * step + 10, y, "s-line")
        y += 20
        svg.text(left - 14, y, name, "ink bold end")
        svg.text(left, y, f"{says[name]}: {len(found[name])}", "small soft")
        y += 8
        for line in lines:
            for start, end, _, edits in line:
                svg.rect(left + start * step + 1, y, (end - start) * step - 2, 14, "main" if edits == 0 else "other")
                svg.text(left + (start + end) / 2 * step, y + 11, str(edits), "small middle page bold")
            y += 18
        y -= 4
    return svg.print()


def differences(one, other):
    return sum(a != b for a, b in zip(one, other))


def buckets():
    rest, word, words, sites = BUCKETS
    mismatches, step, left, right = 4, 19, 40, 510
    most = mismatches - differences(word, words[-1])
    sums = [differences(rest, site) for site in sites]
    near = sum(math.comb(len(word), k) * 3**k for k in range(mismatches // 2 + 1))
    svg = Svg(right + 390, 436, "A guide beside the sites of a bucket",
              f"The guide {rest}{word} has the word {word}. Of the buckets whose words differ from it in at most {mismatches // 2} bases, that of "
              f"{words[-1]} is compared with it: for each of the other {len(rest)} bases a plane says which of {len(sites)} sites differ. Their sums are "
              f"{', '.join(map(str, sums))}; sites with at most {most} fit.")
    svg.text(left, 30, f"At most {mismatches} mismatches, at most {mismatches // 2} of them in the word", "ink bold")
    draw_letters(svg, left, 84, rest, step, "ink")
    svg.rect(left + len(rest) * step, 66, len(word) * step, 26, "fill")
    draw_letters(svg, left + len(rest) * step, 84, word, step, "main bold")
    svg.text(left + len(rest + word) * step + 6, 84, "PAM", "small soft")
    svg.text(left + len(rest) / 2 * step, 58, "the guide's other bases", "small soft middle")
    svg.text(left + (len(rest) + len(word) / 2) * step, 58, "its word", "small main middle")

    x, y = left + len(rest) * step, 136
    svg.text(left, y, f"1. It meets {near} of {4**len(word):,} buckets, by their words:", "ink")
    for other in words:
        y += 30
        chosen = other == words[-1]
        svg.rect(x, y - 18, len(word) * step, 26, "fill")
        for i, letter in enumerate(other):
            svg.text(x + (i + 0.5) * step, y, letter, "mono middle " + ("ink" if letter == word[i] else "wrong bold"))
        number = differences(word, other)
        svg.text(x - 12, y, ("no base differs" if number == 0 else "1 base differs" if number == 1 else f"{number} bases differ"), "small soft end")
        if chosen:
            svg.path([(x + len(word) * step + 6, y - 5), (right - 40, y - 5), (right - 40, 150), (right - 14, 150)], "s-main")
    svg.text(x + len(word) / 2 * step, y + 32, "...", "ink middle")

    svg.text(right, 84, "2. Planes of this bucket: which of its sites differ", "ink")
    svg.text(right, 104, "from a base. Eight sites are drawn; one step has 128.", "ink")
    for i, base in enumerate(rest):
        y = 136 + i * 22
        svg.text(right + 28, y, f"not {base}", "small end soft")
        for k, site in enumerate(sites):
            differs = site[i] != base
            svg.rect(right + 48 + k * 26, y - 14, 20, 18, "other" if differs else "fill")
            svg.text(right + 58 + k * 26, y, str(int(differs)), "small middle " + ("page bold" if differs else "soft"))
    y = 136 + len(rest) * 22 + 12
    svg.line(right, y - 18, right + 48 + len(sites) * 26, y - 18, "s-ink")
    svg.text(right + 28, y, "sum", "small end ink bold")
    for k, number in enumerate(sums):
        svg.text(right + 58 + k * 26, y, str(number), "small middle bold " + ("main" if number <= most else "wrong"))
    svg.text(right, y + 28, "3. Full adders sum all columns at once. A site with", "ink")
    svg.text(right, y + 48, f"at most {most} fits: its word has {mismatches - most} of the {mismatches} already.", "ink")
    return svg.print()


def main():
    wrong = []
    for name, text in (("hits.svg", two_strands()), ("sites.svg", reports()), ("guides.svg", guide_places()), ("buckets.svg", buckets())):
        path = PICTURES / name
        if "--check" in sys.argv[1:]:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                wrong.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if wrong:
        sys.exit(f"figures: {', '.join(wrong)}: not what scripts/figures.py draws; run it")


if __name__ == "__main__":
    main()
