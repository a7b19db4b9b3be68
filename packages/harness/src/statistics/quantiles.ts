export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The value below which the share `p` lies, interpolated between neighbours (type 7 of Hyndman and Fan 1996, as R does). */
export function quantile(values: readonly number[], p: number): number | undefined {
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}

export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number | undefined {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`The quantile ${p} was asked for; it is from 0 to 1.`);
  if (sorted.length === 0) return undefined;
  const place = (sorted.length - 1) * p;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}

/** A number of values in a few numbers. */
export interface Spread {
  readonly mean: number;
  readonly min: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Undefined for no values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const at = (p: number): number => quantileOfSorted(sorted, p) ?? 0;
  return {
    mean: mean(values),
    min: at(0),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
  };
}

/** Steps of the empirical distribution: at each value, the share of all values up to it. */
export function ecdf(values: readonly number[]): readonly { readonly value: number; readonly share: number }[] {
  const sorted = Float64Array.from(values).sort();
  const steps: { value: number; share: number }[] = [];
  for (const [index, value] of sorted.entries()) {
    const share = (index + 1) / sorted.length;
    const last = steps.at(-1);
    if (last?.value === value) last.share = share;
    else steps.push({ value, share });
  }
  return steps;
}
