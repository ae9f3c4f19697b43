"use strict";
const search = document.getElementById("search");
const rows = Array.from(document.querySelectorAll("#apis tbody tr"));
const shown = document.getElementById("shown");
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    count += row.hidden ? 0 : 1;
  }
  shown.textContent = count + " of " + rows.length;
});
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", openTarget);
openTarget();
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
