// Opens pages of `basesweep report` in headless Chromium, at 1,400 and 390 pixels, light and dark, and checks that
//   - the page asks for nothing but itself, and its script raises no error;
//   - it is not wider than the screen;
//   - axe-core finds nothing serious or critical;
//   - every picture and link has a name, and without the script the page shows the same text;
//   - a click on a column's title sorts the table, a second click turns it over, and no row is lost;
//   - printed, it is dark on white, and nothing is wider than a sheet of A4 or Letter.
// Keeps screenshots and a PDF, which must be looked at.
//
//   node check.mjs CHROMIUM SCREENSHOTS PAGE...        needs playwright-core and axe-core beside it or in NODE_PATH
//
// Prints a line for each fault and exits 1, or exits 0.
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(path.resolve(process.env.NODE_PATH ?? "."), "/"));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

const [executablePath, screenshots, ...pages] = process.argv.slice(2);
let faults = 0;

function fault(where, text) {
  faults += 1;
  console.log(`${where}: ${text}`);
}

async function checkSorting(page, where) {
  const tables = page.locator("table.sort");
  for (let t = 0; t < (await tables.count()); t += 1) {
    const table = tables.nth(t);
    const columns = await table.locator("thead th").count();
    for (let c = 0; c < columns; c += 1) {
      const values = () => table.evaluate((one, column) => [...one.tBodies[0].rows].map((row) => row.cells[column].textContent), c);
      const before = await values();
      const button = table.locator("thead th").nth(c).locator("button");
      await button.evaluate((one) => one.click());
      const first = await values();
      const direction = await table.locator("thead th").nth(c).getAttribute("aria-sort");
      await button.evaluate((one) => one.click());
      const second = await values();
      const numbers = (list) => list.map((text) => Number(text.replace(/,| %$/g, ""))).filter((number) => !Number.isNaN(number));
      if (first.length !== before.length || [...first].sort().join() !== [...before].sort().join()) fault(where, `table ${t} loses rows`);
      const order = numbers(direction === "descending" ? first : second);
      const numeric = (await table.locator("thead th").nth(c).getAttribute("data-number")) !== null;
      const plain = (await table.locator(`tbody td:nth-child(${c + 1})[data-v]`).count()) === 0;
      if (numeric && plain && order.some((number, i) => i > 0 && number > order[i - 1])) fault(where, `table ${t}, column ${c}: ${order} is not sorted`);
      // Rows without a value come last both ways.
      const known = before.filter((text) => !["", "-"].includes(text.trim())).length;
      if (known > 1 && new Set(before).size === before.length && first.join() === second.join()) fault(where, `table ${t}, column ${c}: a second click changes nothing`);
    }
  }
}

async function checkPrint(browser, file) {
  // Between margins of 12 mm, in pixels.
  for (const [format, width] of [["A4", 703], ["Letter", 725]]) {
    const where = `${path.basename(file)}, printed on ${format}`;
    const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme: "dark" });
    const page = await context.newPage();
    await page.emulateMedia({ media: "print" });
    await page.goto(pathToFileURL(path.resolve(file)).href);
    const found = await page.evaluate(() => ({
      wider: [...document.querySelectorAll("table, figure, svg, .alignment, p, h1")].filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1).map((one) => one.outerHTML.slice(0, 80)),
      colors: [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color].join(),
      controls: [...document.querySelectorAll("nav")].filter((one) => getComputedStyle(one).display !== "none").length,
    }));
    if (found.wider.length > 0) fault(where, `wider than the sheet: ${found.wider.slice(0, 3).join(" ")}`);
    if (found.colors !== "rgb(255, 255, 255),rgb(0, 0, 0)") fault(where, `its colours are ${found.colors}`);
    if (found.controls > 0) fault(where, "links to sections are printed");
    await page.pdf({ path: path.join(screenshots, `${path.basename(file, ".html")}-${format}.pdf`), format });
    await context.close();
  }
}

async function checkPage(browser, file, width, colorScheme) {
  const where = `${path.basename(file)}, ${width} pixels, ${colorScheme}`;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
  const page = await context.newPage();
  const address = pathToFileURL(path.resolve(file)).href;
  page.on("request", (request) => request.url() !== address && fault(where, `asks for ${request.url()}`));
  page.on("pageerror", (error) => fault(where, `error of the script: ${error}`));
  page.on("dialog", (dialog) => {
    fault(where, `a name was run as a script: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wider > 0) fault(where, `the page is ${wider} pixels wider than the screen`);
  await page.screenshot({ path: path.join(screenshots, `${path.basename(file, ".html")}-${width}-${colorScheme}.png`), fullPage: true });
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("svg[role=img], .share")].filter((one) => !one.getAttribute("aria-label")).length);
  if (unnamed > 0) fault(where, `${unnamed} pictures have no text`);
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const one of found.violations) {
    const text = `axe: ${one.impact}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join(" | ")}`;
    if (["serious", "critical"].includes(one.impact)) fault(where, text);
    else console.log(`note: ${where}: ${text}`);
  }
  await checkSorting(page, where);
  const text = await page.evaluate(() => document.querySelector("main").textContent.length);
  await context.close();
  const plain = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: false });
  const bare = await plain.newPage();
  await bare.goto(address);
  const without = (await bare.locator("main").textContent()).length;
  if (without !== text) fault(where, `${without} characters without the script, ${text} with it`);
  await plain.close();
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const file of pages) {
  for (const width of [1400, 390]) {
    for (const scheme of ["light", "dark"]) await checkPage(browser, file, width, scheme);
  }
  await checkPrint(browser, file);
}
await browser.close();
console.log(`${pages.length} pages, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
