"""Writes matrices in the formats that `pwm` reads."""
from naive_pwm import ORDER


def jaspar(matrices):
    text = ""
    for one in matrices:
        text += f">{one.id}\t{one.name}\n"
        for letter in ORDER:
            text += f"{letter}  [ " + " ".join(f"{column[letter]}" for column in one.columns) + " ]\n"
    return text


def rows(one, between=" "):
    return "".join(between.join(f"{column[letter]}" for letter in ORDER) + "\n" for column in one.columns)


def cluster_buster(matrices):
    return "".join(f">{one.id} {one.name}\n{rows(one)}" for one in matrices)


def transfac(matrices):
    text = ""
    for one in matrices:
        lines = rows(one).splitlines()
        text += f"AC  {one.id}\nXX\nNA  {one.name}\nXX\nP0  A C G T\n"
        text += "".join(f"{number:02}  {line} N\n" for number, line in enumerate(lines, 1)) + "XX\n//\n"
    return text


def meme(matrices, background):
    text = "MEME version 4\n\nALPHABET= ACGT\n\nstrands: + -\n\n"
    if background:
        text += "Background letter frequencies\n" + " ".join(f"{x} {background[x]}" for x in ORDER) + "\n\n"
    for one in matrices:
        text += f"MOTIF {one.id} {one.name}\n"
        text += f"letter-probability matrix: alength= 4 w= {len(one.columns)} nsites= {one.sites} E= 0\n{rows(one)}\n"
    return text


def homer(matrices):
    return "".join(f">{one.name}\t{one.id}\t{one.threshold}\t-5\t0\n{rows(one, chr(9))}" for one in matrices)
