/** Adds to the list of tasks what style alone cannot do: finding by name, and sorting by a column. All is there without it. */
export const SCRIPT: string = `'use strict';
(() => {
  const table = document.getElementById('tasks');
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const find = document.getElementById('find');
  find.parentElement.hidden = false;
  find.addEventListener('input', () => {
    const wanted = find.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
  });
  const heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return column === 0 ? cell.textContent : Number(cell.dataset.value ?? -2);
  };
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const isUp = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      const order = column === 0 ? new Intl.Collator(undefined, { numeric: true }).compare : (a, b) => a - b;
      const sorted = rows.toSorted((a, b) => order(valueOf(a, column), valueOf(b, column)) * (isUp ? 1 : -1));
      body.append(...sorted);
    });
  });
})();
`;
