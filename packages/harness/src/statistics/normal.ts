/** The share of the standard normal distribution below `z`. */
export function normalCdf(z: number): number {
  return z < 0 ? upperTail(-z) : 1 - upperTail(z);
}

/** The value below which the share `p` of the standard normal distribution lies: the inverse of `normalCdf`. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1))
    throw new RangeError(`The quantile ${p} of the normal distribution was asked for; it is from 0 to 1.`);
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -normalQuantile(1 - p);
  // A start by Abramowitz and Stegun 26.2.23 (error below 4.5e-4), then steps of Halley's method.
  const t = Math.sqrt(-2 * Math.log(p));
  let z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (let step = 0; step < 3; step++) {
    const off = (normalCdf(z) - p) / density(z);
    z -= off / (1 + (z * off) / 2);
  }
  return z;
}

/** For `z >= 0`: the series near the middle, and the continued fraction in the tail, where the series would cancel out. */
function upperTail(z: number): number {
  if (z > 38) return 0;
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let n = 3; Math.abs(term) > 1e-17 * sum; n += 2) {
      term *= (z * z) / n;
      sum += term;
    }
    return 0.5 - sum * density(z);
  }
  let fraction = z;
  for (let n = 120; n > 0; n--) fraction = z + n / fraction;
  return density(z) / fraction;
}

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}
