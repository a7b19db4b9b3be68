/** Prints results for a person: what was measured, what it cost, how it compares, and whether the promise holds. */
export function printTable(results) {
  const head = ['workload', 'unit', 'parley', 'sdk', 'vscode', 'floor', 'x sdk', 'of floor', 'hold', 'max/min', ''];
  const rows = results.map((result) => [
    result.workload,
    result.unit,
    show(result.parley),
    show(result.sdk),
    show(result.vscode),
    show(result.floor),
    show(result.ratioToSdk),
    show(result.ratioToFloor),
    result.holdAtLeast === null ? '-' : String(result.holdAtLeast),
    show(result.spread.parley),
    result.ok ? 'ok' : 'MISSED',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  for (const row of [head, ...rows]) {
    console.log(
      row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
    );
  }
  console.log(
    '\nx sdk: how many times cheaper than the official SDK. of floor: share of the speed of bare JSON over a pipe.',
  );
}

function show(value) {
  return value === null || value === undefined ? '-' : value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
