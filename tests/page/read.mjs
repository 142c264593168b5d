// Prints what a page shows, as a browser has it: {"page.html": {tiles, figures, tables, places}}.
//
//   node read.mjs CHROMIUM PAGE...        needs playwright-core beside it or in NODE_PATH
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(path.resolve(process.env.NODE_PATH ?? "."), "/"));
const { chromium } = require("playwright-core");

function contents() {
  const text = (one) => one?.textContent.trim() ?? "";
  const all = (within, selector, value) => [...within.querySelectorAll(selector)].map(value);
  const cells = (row) => [...row.cells].map(text);
  return {
    tiles: Object.fromEntries(all(document, ".tiles div", (one) => [text(one.children[0]), text(one.children[1])])),
    figures: all(document, "figure", (figure) => ({
      caption: text(figure.querySelector("figcaption")),
      summaries: all(figure, "[role=img]", (one) => one.getAttribute("aria-label")),
      hover: all(figure, "svg title", text).concat(all(figure, "[title]", (one) => one.title)),
      legend: all(figure, ".legend span", text),
      note: text(figure.querySelector(".note")),
    })),
    tables: all(document, "table", (table) => ({
      caption: text(table.caption),
      head: cells(table.tHead.rows[0]),
      rows: [...table.tBodies[0].rows].map(cells),
      foot: table.tFoot ? cells(table.tFoot.rows[0]) : [],
    })),
    places: all(document, ".places > div", (guide) => ({
      guide: text(guide.querySelector("h3, h4")),
      alignments: all(guide, ".alignment", (one) => one.textContent.split("\n")),
      where: all(guide, ".note", text),
    })),
  };
}

const [executablePath, ...pages] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
const read = {};
for (const file of pages) {
  await page.goto(pathToFileURL(path.resolve(file)).href);
  read[path.basename(file)] = await page.evaluate(contents);
}
await browser.close();
console.log(JSON.stringify(read));
