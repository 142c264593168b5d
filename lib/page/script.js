// A click on the title of a column sorts its table: numbers by size, all else as text; a second click turns it over.
// Rows without a value come last. Without this script tables stay as they are.
for (const table of document.querySelectorAll("table.sort")) {
  const body = table.tBodies[0];
  const keys = new Map();
  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell?.textContent.trim() ?? "";
    const number = Number(cell?.dataset.v ?? text.replace(/,| %$/g, ""));
    return { none: text === "" || text === "-", number: text === "" ? NaN : number, text };
  };
  const compare = (a, b) => (isNaN(a.number) || isNaN(b.number) ? a.text.localeCompare(b.text, "en", { numeric: true }) : a.number - b.number);
  [...table.tHead.rows[0].cells].forEach((title, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => {
      // The first click on a column of numbers puts the largest on top.
      const sorted = title.getAttribute("aria-sort");
      const down = sorted ? sorted === "ascending" : title.hasAttribute("data-number");
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      title.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows];
      for (const row of rows) keys.set(row, key(row, column));
      rows.sort((x, y) => {
        const a = keys.get(x), b = keys.get(y);
        return a.none - b.none || (down ? compare(b, a) : compare(a, b));
      });
      body.append(...rows);
    });
  });
}
