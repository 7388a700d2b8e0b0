"use strict";
// Filters and sorts the tables. Everything it needs stands in the page, and the page needs nothing of it.
for (const form of document.querySelectorAll("form[data-table]")) {
	const table = document.getElementById(form.dataset.table);
	const body = table.tBodies[0];
	const rows = Array.from(body.rows);
	const texts = new Map();
	const said = form.querySelector("output");
	const text = form.querySelector("input");
	const choices = Array.from(form.querySelectorAll("select"));

	const rowText = row => {
		if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
		return texts.get(row);
	};
	const apply = () => {
		const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const row of rows) {
			const fits = choices.every(c => !c.value || row.getAttribute("data-" + c.name) === c.value) &&
				words.every(w => rowText(row).includes(w));
			row.hidden = !fits;
			if (fits) shown++;
		}
		said.textContent = shown + " of " + rows.length + (rows.length === 1 ? " row shown" : " rows shown");
	};
	form.addEventListener("input", apply);
	form.addEventListener("submit", event => event.preventDefault());
	form.hidden = false;
	apply();

	const collator = new Intl.Collator("en", {numeric: true});
	const cellText = (row, i) => row.cells[i].getAttribute("data-rank") || row.cells[i].textContent;
	const heads = Array.from(table.tHead.rows[0].cells);
	heads.forEach((head, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => {
			const next = {none: "ascending", ascending: "descending", descending: "none"}[head.getAttribute("aria-sort") || "none"];
			for (const h of heads) h.removeAttribute("aria-sort");
			let order = rows;
			if (next !== "none") {
				head.setAttribute("aria-sort", next);
				const sign = next === "ascending" ? 1 : -1;
				order = rows.map(row => [cellText(row, i), row]).sort((a, b) => sign * collator.compare(a[0], b[0])).map(pair => pair[1]);
			}
			body.append(...order);
			apply();
			said.textContent += next === "none" ? ", the worst first" : ", sorted by " + button.textContent + ", " + next;
		});
	});
}
