import type { Tries } from './pass-at-k.ts';

/** How likely two counts of passes as unequal as these are, when both have the same chance (Fisher 1935), in either direction. */
export function fisherExactTest(first: Tries, second: Tries): number {
  const passes = first.passes + second.passes;
  const total = first.trials + second.trials;
  const least = Math.max(0, passes - second.trials);
  const most = Math.min(first.trials, passes);
  const chance = (count: number): number =>
    Math.exp(logChoices(first.trials, count) + logChoices(second.trials, passes - count) - logChoices(total, passes));
  // Tables that are as unlikely as this one count, whatever the last digit says.
  const observed = chance(first.passes) * (1 + 1e-9);
  let p = 0;
  for (let count = least; count <= most; count++) if (chance(count) <= observed) p += chance(count);
  return Math.min(1, p);
}

function logChoices(whole: number, part: number): number {
  let log = 0;
  for (let index = 1; index <= part; index++) log += Math.log((whole - part + index) / index);
  return log;
}
