/**
 * p-values that hold for all comparisons together: with these, the chance that any of them is wrong stays below the level
 * (Holm 1979). In the order of the input.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = ascending(pValues);
  const adjusted = pValues.map(() => 1);
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * (pValues[index] ?? 1)));
    adjusted[index] = highest;
  }
  return adjusted;
}

/** p-values with which, of what is called a difference, the share that is none stays below the level (Benjamini and Hochberg 1995). */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = ascending(pValues);
  const adjusted = pValues.map(() => 1);
  let lowest = 1;
  for (let rank = order.length; rank > 0; rank--) {
    const index = order[rank - 1] ?? 0;
    lowest = Math.min(lowest, (pValues.length / rank) * (pValues[index] ?? 1));
    adjusted[index] = lowest;
  }
  return adjusted;
}

function ascending(pValues: readonly number[]): number[] {
  for (const p of pValues) if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no p-value; it is from 0 to 1.`);
  return pValues.map((_, index) => index).sort((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1));
}
