import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accelerationOf,
  benjaminiHochberg,
  bootstrapInterval,
  comparePaired,
  createRandom,
  ecdf,
  fisherExactTest,
  flakiness,
  holm,
  mean,
  normalCdf,
  normalQuantile,
  passAtK,
  passAtKPlugIn,
  passExpK,
  passExpKPlugIn,
  passRate,
  permutationTest,
  quantile,
  sample,
  spreadOf,
  trialMetrics,
  wilsonInterval,
} from './index.ts';

const tries = fc
  .integer({ min: 1, max: 40 })
  .chain((trials) => fc.record({ trials: fc.constant(trials), passes: fc.integer({ min: 0, max: trials }) }));

describe('pass@k and pass^k', () => {
  it('are what counting every choice of k trials gives', () => {
    for (let trials = 1; trials <= 9; trials++) {
      for (let passes = 0; passes <= trials; passes++) {
        for (let k = 1; k <= trials; k++) {
          const choices = choicesOf(trials, k);
          // Trials below `passes` passed.
          const any = choices.filter((chosen) => chosen.some((trial) => trial < passes)).length / choices.length;
          const all = choices.filter((chosen) => chosen.every((trial) => trial < passes)).length / choices.length;
          expect(passAtK({ passes, trials }, k)).toBeCloseTo(any, 12);
          expect(passExpK({ passes, trials }, k)).toBeCloseTo(all, 12);
          expect(flakiness({ passes, trials }, k)).toBeCloseTo(any - all, 12);
        }
      }
    }
  });

  it('are the plug-in values that the acp-harness documentation gives', () => {
    expect(passAtKPlugIn({ passes: 3, trials: 5 }, 5)).toBeCloseTo(0.98976, 10);
    expect(passAtKPlugIn({ passes: 1, trials: 3 }, 3)).toBeCloseTo(19 / 27, 10);
    expect(passAtKPlugIn({ passes: 2, trials: 4 }, 4)).toBeCloseTo(0.9375, 10);
    expect(passExpKPlugIn({ passes: 4, trials: 5 }, 5)).toBeCloseTo(0.32768, 10);
  });

  it('are right on average whatever the truth is, which the plug-in values are not', () => {
    for (const truth of [0.1, 0.37, 0.5, 0.8]) {
      const [trials, k] = [8, 3];
      const expected = (estimate: (passes: number) => number | undefined): number =>
        Array.from(
          { length: trials + 1 },
          (_, passes) => binomial(trials, passes, truth) * (estimate(passes) ?? 0),
        ).reduce((a, b) => a + b);
      expect(expected((passes) => passAtK({ passes, trials }, k))).toBeCloseTo(1 - (1 - truth) ** k, 12);
      expect(expected((passes) => passExpK({ passes, trials }, k))).toBeCloseTo(truth ** k, 12);
      expect(expected((passes) => passAtKPlugIn({ passes, trials }, k))).toBeLessThan(1 - (1 - truth) ** k);
      expect(expected((passes) => passExpKPlugIn({ passes, trials }, k))).toBeGreaterThan(truth ** k);
    }
  });

  it('stay in order: pass^k is at most the pass rate, which is at most pass@k', () => {
    fc.assert(
      fc.property(tries, fc.integer({ min: 1, max: 40 }), (each, k) => {
        const rate = passRate(each) ?? -1;
        for (const estimator of ['unbiased', 'plug-in'] as const) {
          const metrics = trialMetrics(each, k, estimator);
          expect(metrics?.passExpK).toBeLessThanOrEqual(rate + 1e-12);
          expect(metrics?.passAtK).toBeGreaterThanOrEqual(rate - 1e-12);
        }
      }),
    );
  });

  it('say by which estimator they were made: plug-in for n = k, unbiased for n > k', () => {
    expect(trialMetrics({ passes: 1, trials: 3 }, 3)).toMatchObject({
      passAtK: expect.closeTo(19 / 27, 12),
      estimator: 'plug-in',
    });
    expect(trialMetrics({ passes: 1, trials: 3 }, 3, 'unbiased')).toMatchObject({ passAtK: 1, estimator: 'unbiased' });
    expect(trialMetrics({ passes: 1, trials: 6 }, 3)).toMatchObject({ passAtK: 0.5, estimator: 'unbiased' });
    expect(trialMetrics({ passes: 0, trials: 0 }, 3)).toBeUndefined();
    expect(passAtK({ passes: 2, trials: 2 }, 3)).toBeUndefined();
  });

  it('refuse counts that cannot be', () => {
    expect(() => passAtK({ passes: 4, trials: 3 }, 1)).toThrow('4 passes in 3 trials');
    expect(() => passExpK({ passes: 1, trials: 3 }, 0)).toThrow('k is 0');
  });
});

describe('the normal distribution', () => {
  it('has the values of the tables in Abramowitz and Stegun, 26.1 and 26.5', () => {
    for (const [z, p] of [
      [0, 0.5],
      [1, 0.841344746068543],
      [1.96, 0.97500210485178],
      [2.5, 0.993790334674224],
      [4, 0.999968328758167],
    ] as const) {
      expect(normalCdf(z)).toBeCloseTo(p, 13);
      expect(normalCdf(-z)).toBeCloseTo(1 - p, 13);
    }
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
    expect(normalQuantile(0.995)).toBeCloseTo(2.575829303548901, 12);
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('is inverted by its quantiles', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (p) => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 12);
      }),
    );
  });
});

describe('the Wilson interval', () => {
  it('is that of the four examples in Newcombe 1998, table I, method 3', () => {
    for (const [passes, trials, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilsonInterval({ passes, trials });
      expect(interval?.low).toBeCloseTo(low, 4);
      expect(interval?.high).toBeCloseTo(high, 4);
    }
  });

  it('holds those rates that a score test would not refuse', () => {
    fc.assert(
      fc.property(tries, ({ passes, trials }) => {
        const { low, high } = wilsonInterval({ passes, trials }) ?? { low: 1, high: 0 };
        expect(low).toBeLessThanOrEqual(passes / trials);
        expect(high).toBeGreaterThanOrEqual(passes / trials);
        for (const end of [low, high].filter((rate) => rate > 0 && rate < 1)) {
          const score = Math.abs(passes / trials - end) / Math.sqrt((end * (1 - end)) / trials);
          expect(score).toBeCloseTo(1.959963984540054, 6);
        }
      }),
    );
  });

  it('covers the truth as often as it says, on average over rates', () => {
    // Computed, not drawn: the chance of every count of passes is known.
    const rates = Array.from({ length: 99 }, (_, index) => (index + 1) / 100);
    for (const trials of [5, 20, 100]) {
      const coverage = rates.map((truth) =>
        Array.from({ length: trials + 1 }, (_, passes) => {
          const { low, high } = wilsonInterval({ passes, trials }) ?? { low: 1, high: 0 };
          return low <= truth && truth <= high ? binomial(trials, passes, truth) : 0;
        }).reduce((a, b) => a + b),
      );
      expect(mean(coverage)).toBeGreaterThan(0.945);
      expect(mean(coverage)).toBeLessThan(0.965);
    }
  });
});

describe('the bootstrap', () => {
  /** Efron and Tibshirani 1993, "An Introduction to the Bootstrap", table 14.1: the spatial test data, test A. */
  const spatialTest = [
    48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41,
  ];
  const variance = (values: readonly number[]): number => {
    const middle = mean(values);
    return mean(values.map((value) => (value - middle) ** 2));
  };

  it('gives the intervals of Efron and Tibshirani 1993, table 14.2, within the luck of 2000 samples', () => {
    expect(variance(spatialTest)).toBeCloseTo(171.5, 1);
    expect(accelerationOf(spatialTest, variance)).toBeCloseTo(0.061, 3);
    const options = { statistic: variance, level: 0.9, iterations: 10_000 };
    const percentile = bootstrapInterval(spatialTest, { ...options, method: 'percentile' });
    expect(Math.abs((percentile?.low ?? 0) - 100.8)).toBeLessThan(4);
    expect(Math.abs((percentile?.high ?? 0) - 233.9)).toBeLessThan(4);
    expect(percentile?.method).toBe('percentile');
    const bca = bootstrapInterval(spatialTest, options);
    expect(Math.abs((bca?.low ?? 0) - 115.8)).toBeLessThan(5);
    expect(Math.abs((bca?.high ?? 0) - 259.6)).toBeLessThan(8);
    expect(bca?.method).toBe('bca');
  });

  it('comes near what every possible sample gives', () => {
    const values = [1, 2, 4, 8, 16];
    const all = Float64Array.from({ length: 5 ** 5 }, (_, code) =>
      mean(Array.from({ length: 5 }, (__, place) => values[Math.floor(code / 5 ** place) % 5] ?? 0)),
    ).sort();
    const drawn = bootstrapInterval(values, { method: 'percentile', iterations: 20_000 });
    expect(Math.abs((drawn?.low ?? 0) - (all[Math.round(0.025 * 3125)] ?? 0))).toBeLessThan(0.41);
    expect(Math.abs((drawn?.high ?? 0) - (all[Math.round(0.975 * 3125)] ?? 0))).toBeLessThan(0.61);
  });

  it('is the same for the same seed, and says percentile where BCa is not defined', () => {
    const values = [0, 1, 1, 0, 1, 1, 1, 0.5];
    expect(bootstrapInterval(values, { seed: 7 })).toEqual(bootstrapInterval(values, { seed: 7 }));
    expect(bootstrapInterval([0.3, 0.3, 0.3])).toEqual({ low: 0.3, high: 0.3, level: 0.95, method: 'percentile' });
    expect(bootstrapInterval([1])).toMatchObject({ method: 'percentile' });
    expect(bootstrapInterval([])).toBeUndefined();
    expect(() => bootstrapInterval(values, { iterations: 10 })).toThrow('from 100 on');
  });

  it('covers the truth about as often as it says, for skewed values and for pass rates of flaky tasks', () => {
    const random = createRandom(20);
    const skewed = (): number => -Math.log(1 - random.next());
    const covered = { skewed: 0, flaky: 0 };
    const rounds = 400;
    for (let round = 0; round < rounds; round++) {
      const latencies = Array.from({ length: 40 }, skewed);
      const interval = bootstrapInterval(latencies, { iterations: 400, seed: round });
      if (interval && interval.low <= 1 && 1 <= interval.high) covered.skewed++;
      // Tasks differ: a third always pass, a third pass every other time, a third once in ten. The mean is 1.6 / 3.
      const rates = Array.from({ length: 45 }, () => {
        const truth = [1, 0.5, 0.1][random.below(3)] ?? 0;
        return mean(Array.from({ length: 5 }, () => (random.next() < truth ? 1 : 0)));
      });
      const flaky = bootstrapInterval(rates, { iterations: 400, seed: round });
      if (flaky && flaky.low <= 1.6 / 3 && 1.6 / 3 <= flaky.high) covered.flaky++;
    }
    for (const count of Object.values(covered)) {
      // The standard error of 400 rounds is 1.1 points, and BCa of 40 skewed values is known to fall short by about two.
      expect(count / rounds).toBeGreaterThan(0.9);
      expect(count / rounds).toBeLessThan(0.98);
    }
  });
});

describe('paired differences', () => {
  /** Fisher 1935, "The Design of Experiments", section 21: Darwin's maize, crossed minus self-fertilised, in eighths of an inch. */
  const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

  it('are judged as Fisher judged them: 863 of 32768 sums are as large as that of the maize, and as many as small', () => {
    expect(permutationTest(maize)).toEqual({ p: (2 * 863) / 32768, method: 'exact', permutations: 32768 });
  });

  it('are judged by drawing where there are too many, near the exact answer and the same for the same seed', () => {
    const many = [...maize, ...maize.map((value) => value / 3), 1.5, -2.5];
    const drawn = permutationTest(many, { seed: 3 });
    expect(drawn).toEqual(permutationTest(many, { seed: 3 }));
    expect(drawn.method).toBe('sampled');
    // Independent: the normal approximation, sum / sqrt(sum of squares).
    const z = many.reduce((a, b) => a + b) / Math.sqrt(many.reduce((a, b) => a + b * b, 0));
    expect(Math.abs(drawn.p - 2 * (1 - normalCdf(z)))).toBeLessThan(0.01);
  });

  it('of passes and failures are the exact sign test, for any number of tasks', () => {
    // McNemar 1947 in its exact form: 1 against 9 discordant pairs is 22/1024.
    expect(permutationTest([1, ...Array(9).fill(-1), 0, 0]).p).toBeCloseTo(22 / 1024, 12);
    expect(permutationTest(Array(500).fill(1)).p).toBeLessThan(1e-100);
    expect(permutationTest([0, 0, 0])).toEqual({ p: 1, method: 'exact', permutations: 1 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, 0, 1), { maxLength: 14 }), (differences) => {
        // Sizes that differ a little take the other way through, and must come to the same answer.
        const bruteForce = enumerated(differences);
        expect(permutationTest(differences).p).toBeCloseTo(bruteForce, 10);
      }),
      { numRuns: 40 },
    );
  });

  it('find a difference that is not there no more often than their level says', () => {
    const random = createRandom(5);
    const rounds = 600;
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      const differences = Array.from({ length: 12 }, () => random.next() - random.next());
      if (permutationTest(differences).p <= 0.05) found++;
    }
    expect(found / rounds).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / rounds));
    expect(found).toBeGreaterThan(0);
  });

  it('count wins, losses and ties, and have an interval', () => {
    const compared = comparePaired([1, 1, 0, 0.5, 1], [0, 1, 1, 0.5, 0.9], { tie: 0.1 });
    expect(compared).toMatchObject({ pairs: 5, wins: 1, losses: 1, ties: 3 });
    expect(compared?.difference).toBeCloseTo(0.02, 12);
    expect(compared?.interval.low).toBeLessThan(0.02);
    expect(compared?.interval.high).toBeGreaterThan(0.02);
    expect(comparePaired([], [])).toBeUndefined();
    expect(() => comparePaired([1], [])).toThrow('1 values against 0');
  });
});

describe('two counts of passes', () => {
  it('are judged as the lady tasting tea in Fisher 1935: three of four cups against one of four is 34 in 70', () => {
    expect(fisherExactTest({ passes: 3, trials: 4 }, { passes: 1, trials: 4 })).toBeCloseTo(34 / 70, 12);
    expect(fisherExactTest({ passes: 4, trials: 4 }, { passes: 0, trials: 4 })).toBeCloseTo(2 / 70, 12);
    expect(fisherExactTest({ passes: 2, trials: 4 }, { passes: 2, trials: 4 })).toBe(1);
    expect(fisherExactTest({ passes: 0, trials: 0 }, { passes: 2, trials: 4 })).toBe(1);
  });
});

describe('corrections for many comparisons', () => {
  /** Benjamini and Hochberg 1995, section 4: fifteen endpoints of a trial of thrombolysis. */
  const thrombolysis = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];

  it('leave four endpoints of Benjamini and Hochberg 1995, or three by the stricter rule', () => {
    expect(benjaminiHochberg(thrombolysis).filter((p) => p <= 0.05)).toHaveLength(4);
    expect(holm(thrombolysis).filter((p) => p <= 0.05)).toHaveLength(3);
  });

  it('are those of R, p.adjust, in the order of the input', () => {
    // p.adjust(c(0.04, 0.01, 0.03, 0.005), "holm") and "BH"
    expect(holm([0.04, 0.01, 0.03, 0.005])).toEqual([0.06, 0.03, 0.06, 0.02].map((p) => expect.closeTo(p, 12)));
    expect(benjaminiHochberg([0.04, 0.01, 0.03, 0.005])).toEqual(
      [0.04, 0.02, 0.04, 0.02].map((p) => expect.closeTo(p, 12)),
    );
  });

  it('never make a p-value smaller, and keep the order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (pValues) => {
        const [strict, loose] = [holm(pValues), benjaminiHochberg(pValues)];
        for (const [index, p] of pValues.entries()) {
          expect(loose[index]).toBeGreaterThanOrEqual(p - 1e-15);
          expect(strict[index]).toBeGreaterThanOrEqual((loose[index] ?? 0) - 1e-15);
          expect(strict[index]).toBeLessThanOrEqual(1);
        }
      }),
    );
    expect(() => holm([2])).toThrow('2 is no p-value');
  });
});

describe('quantiles', () => {
  it('are of type 7 in Hyndman and Fan 1996, as R has them', () => {
    // quantile(c(1, 3, 4, 9, 10, 20), c(.1, .25, .5, .9))
    const values = [20, 3, 1, 10, 9, 4];
    expect([0.1, 0.25, 0.5, 0.9].map((p) => quantile(values, p))).toEqual([2, 3.25, 6.5, 15]);
    expect(spreadOf(values)).toMatchObject({ min: 1, p50: 6.5, max: 20, mean: 47 / 6 });
    expect(spreadOf([])).toBeUndefined();
  });

  it('go together with the steps of the distribution, where equal values are one step', () => {
    expect(ecdf([2, 1, 2, 4])).toEqual([
      { value: 1, share: 0.25 },
      { value: 2, share: 0.75 },
      { value: 4, share: 1 },
    ]);
  });
});

describe('random numbers', () => {
  it('are spread evenly, and every sample is as likely as any other', () => {
    const random = createRandom(11);
    const counts = new Map<string, number>();
    for (let round = 0; round < 6000; round++) {
      const drawn = sample(['a', 'b', 'c'], 2, random).join('');
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['ab', 'ac', 'ba', 'bc', 'ca', 'cb']);
    // Chi-square with 5 degrees of freedom: below 20.5 with a chance of 0.999.
    expect([...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(20.5);
    expect(sample([1, 2], 5, random).sort()).toEqual([1, 2]);
  });
});

function choicesOf(count: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  return Array.from({ length: count - from }, (_, index) => from + index).flatMap((first) =>
    choicesOf(count, k - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

function binomial(trials: number, passes: number, rate: number): number {
  let chance = (1 - rate) ** (trials - passes);
  for (let index = 0; index < passes; index++) chance *= ((trials - index) / (index + 1)) * rate;
  return chance;
}

function enumerated(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
  let extreme = 0;
  for (let code = 0; code < 2 ** differences.length; code++) {
    const sum = differences.reduce((total, value, index) => total + ((code >> index) & 1 ? value : -value), 0);
    if (Math.abs(sum) >= observed) extreme++;
  }
  return extreme / 2 ** differences.length;
}
