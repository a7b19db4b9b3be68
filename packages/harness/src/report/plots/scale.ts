/** Where a value is drawn, and which values have a line. */
export interface Scale {
  at(value: number): number;
  readonly ticks: readonly number[];
}

/** From `domain` to `range`, evenly; ticks are round numbers. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number], count = 5): Scale {
  const [low, high] = domain[0] === domain[1] ? [domain[0] - 0.5, domain[1] + 0.5] : domain;
  const at = (value: number): number => range[0] + ((value - low) / (high - low)) * (range[1] - range[0]);
  const step = roundStep((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => round((first + index) * step));
  return { at, ticks };
}

/** The same distance for the same ratio, for values that span more than one order of magnitude. */
export function logScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const low = Math.max(domain[0], Number.MIN_VALUE);
  const high = Math.max(domain[1], low * 1.001);
  const width = Math.log(high / low);
  const at = (value: number): number =>
    range[0] + (Math.log(Math.max(value, low) / low) / width) * (range[1] - range[0]);
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of [1, 2, 5]) {
      const tick = round(factor * 10 ** power);
      if (tick >= low && tick <= high) all.push(tick);
    }
  }
  const ticks = all.length > 8 ? all.filter((tick) => /^1(0*$|e)|^0\.0*1$/.test(String(tick))) : all;
  return { at, ticks };
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough * 0.999) ?? 10;
  return factor * power;
}

/** 0.30000000000000004 is 0.3. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
