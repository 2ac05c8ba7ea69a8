"use strict";
// Tables sort by a click on a heading, and show only rows that contain what is typed.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    head.querySelector("button").addEventListener("click", () => sort(table, body, heads, head, place));
  });
}

function sort(table, body, heads, head, place) {
  const numbers = head.classList.contains("number");
  const before = head.getAttribute("aria-sort");
  // numbers begin with the largest, words with A
  const next = before === null ? (numbers ? "descending" : "ascending") : before === "ascending" ? "descending" : "ascending";
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", next);
  const sign = next === "ascending" ? 1 : -1;
  const key = (row) => row.cells[place].dataset.sort;
  const rows = [...body.rows].map((row, number) => [row, number]);
  rows.sort(([a, i], [b, j]) => {
    const x = key(a), y = key(b);
    if (x === "" || y === "") return x === y ? i - j : x === "" ? 1 : -1; // empty ones last, either way
    const order = numbers ? Number(x) - Number(y) : x.localeCompare(y, "en");
    return order === 0 ? i - j : sign * order;
  });
  body.append(...rows.map(([row]) => row));
}

for (const input of document.querySelectorAll(".filter input")) {
  const body = document.getElementById(input.getAttribute("aria-controls")).tBodies[0];
  const said = input.parentElement.querySelector("output");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    said.textContent = words.length ? `${shown} of ${body.rows.length} rows` : "";
  });
}
