"""MkDocs hooks: add the pages that the program itself writes."""
import os
import pathlib
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import man_to_markdown


def on_files(files, config):
    for name, text in sorted(man_to_markdown.all_pages(os.environ["BASESWEEP_BINARY"]).items()):
        files.append(File.generated(config, f"commands/{name}", content=text))
    return files
