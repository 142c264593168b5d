// Clicks the links from places to genome browsers, on pages made for every assembly that has names of its own for
// chromosomes, and compares the address that each asks for. Nothing is fetched.
//
//   node links.mjs CHROMIUM PROGRAM FOLDER        needs playwright-core beside it or in NODE_PATH
//
// Prints a line for each fault and exits 1, or exits 0.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(path.resolve(process.env.NODE_PATH ?? "."), "/"));
const { chromium } = require("playwright-core");
const [executablePath, program, folder] = process.argv.slice(2);

// Names of an assembly, Ensembl's site, and records with their names at UCSC and Ensembl; "": no link.
const human = [["chr1", "chr1", "1"], ["22", "chr22", "22"], ["X", "chrX", "X"], ["chrM", "chrM", "MT"], ["MT", "chrM", "MT"]];
const vertebrate = [["chr2", "chr2", "2"], ["MT", "chrM", "MT"]];
const assemblies = [
  [["hg38", "GRCh38"], "www.ensembl.org/Homo_sapiens",
    [...human, ["chr1_KI270706v1_random", "chr1_KI270706v1_random", "KI270706.1"], ["chr6_GL000250v2_alt", "chr6_GL000250v2_alt", ""]]],
  [["hg19", "GRCh37"], "grch37.ensembl.org/Homo_sapiens", [...human, ["chr1_gl000191_random", "chr1_gl000191_random", ""]]],
  [["mm39", "GRCm39"], "www.ensembl.org/Mus_musculus", vertebrate],
  [["mm10", "GRCm38"], "nov2020.archive.ensembl.org/Mus_musculus", vertebrate],
  [["danRer11", "GRCz11"], "www.ensembl.org/Danio_rerio", [...vertebrate, ["chrUn_KN147552v2", "chrUn_KN147552v2", "KN147552.2"]]],
  [["dm6", "BDGP6"], "www.ensembl.org/Drosophila_melanogaster", [["chr2L", "chr2L", "2L"], ["3R", "chr3R", "3R"], ["chrM", "chrM", "mitochondrion_genome"]]],
  [["ce11", "WBcel235"], "www.ensembl.org/Caenorhabditis_elegans", [["chrIV", "chrIV", "IV"], ["X", "chrX", "X"], ["MtDNA", "chrM", "MtDNA"]]],
  [["sacCer3", "R64-1-1"], "www.ensembl.org/Saccharomyces_cerevisiae", [["XVI", "chrXVI", "XVI"], ["chrVIII", "chrVIII", "VIII"], ["Mito", "chrM", "Mito"]]],
  [["oryLat2"], "", [["chr1", "chr1", ""], ["a&b c", "a%26b%20c", ""]]],
];
const start = 41199;  // 0-based; browsers count from 1
const end = 41222;
let faults = 0;
let clicks = 0;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [names, site, records] of assemblies) {
  for (const name of names) {
    const guides = records.map(([record], i) => ({
      name: `g${i}`, sequence: "ACGTACGTACGTACGTACGT", counts: [1], cfd: 50, mit: 50,
      nearest: [{ record, start, end, strand: "+", mismatches: 0, bulge: 0, text: "ACGTACGTACGTACGTACGTAGG" }],
    }));
    const report = { schema: "basesweep-report/1", command: "guides", parameters: { pam: "NGG" }, plots: { pam_side: "3prime", guides_listed: guides } };
    const [json, html] = [path.join(folder, `links-${name}.json`), path.join(folder, `links-${name}.html`)];
    writeFileSync(json, JSON.stringify(report));
    execFileSync(program, ["report", "--genome", name, json, "-o", html]);
    const context = await browser.newContext();
    await context.route(/^http/, (route) => route.fulfill({ body: "" }));
    const page = await context.newPage();
    await page.goto(pathToFileURL(path.resolve(html)).href);
    for (const [i, [record, ucsc, ensembl]] of records.entries()) {
      const links = page.locator(".places > div").nth(i).locator("a");
      const own = encodeURIComponent(record);
      const expected = [
        `http://localhost:60151/goto?locus=${own}:41200-41222`,
        `https://genome.ucsc.edu/cgi-bin/hgTracks?db=${names[0]}&position=${ucsc}:41200-41222`,
        ...(ensembl ? [`https://${site}/Location/View?r=${ensembl}:41200-41222`] : []),
      ];
      const asked = [];
      for (let link = 0; link < (await links.count()); link += 1) {
        const [opened] = await Promise.all([context.waitForEvent("page"), links.nth(link).click()]);
        await opened.waitForLoadState();
        asked.push(opened.url());
        await opened.close();
        clicks += 1;
      }
      if (JSON.stringify(asked) !== JSON.stringify(expected)) {
        faults += 1;
        console.log(`--genome ${name}, ${record}: asks for ${asked.join(" ")}, expected ${expected.join(" ")}`);
      }
    }
    await context.close();
  }
}
await browser.close();
console.log(`${clicks} links clicked, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
