import type { Shape } from '@parley/host/json-files';
import {
  AMOUNT,
  COUNT,
  createFormat,
  FLAG,
  type Format,
  listOf,
  mapOf,
  openObject,
  optional,
  required,
  SHARE,
  TEXT,
  TEXTS,
} from './format.ts';

/** Low and high. */
export type Interval = readonly [number, number];

/** How runs of `capture` compare. Maps are by the label of the run. */
export interface ComparisonReport {
  readonly meta: ComparisonMeta;
  readonly quality: Readonly<Record<string, QualityMetrics>>;
  readonly performance: Readonly<Record<string, PerformanceMetrics>>;
  readonly reliability: Readonly<Record<string, ReliabilityMetrics>>;
  readonly trajectoryInfo: Readonly<Record<string, TrajectoryInfo>>;
  readonly headToHead: {
    readonly prompts: readonly PromptComparison[];
    readonly pairwise: readonly PairwiseComparison[];
  };
}

export interface ComparisonMeta {
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly runs: readonly string[];
  readonly promptCount: number;
  readonly promptsWithAllRuns: number;
}

export interface QualityMetrics {
  readonly avgScore: number;
  readonly passRate: number;
  readonly passCount: number;
  readonly failCount: number;
  readonly scoreDistribution: Readonly<Record<ScoreBucket, number>>;
  readonly confidenceIntervals?: { readonly avgScore?: Interval; readonly passRate?: Interval };
}

export type ScoreBucket = (typeof SCORE_BUCKETS)[number];

export const SCORE_BUCKETS = ['0.0-0.2', '0.2-0.4', '0.4-0.6', '0.6-0.8', '0.8-1.0'] as const;

export interface PerformanceMetrics {
  readonly latency: LatencyStats;
  readonly firstResponse?: LatencyStats;
  readonly totalDuration: number;
  readonly confidenceIntervals?: { readonly latencyMean?: Interval };
}

export interface LatencyStats {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

export interface ReliabilityMetrics {
  readonly toolErrors: number;
  readonly toolErrorRate: number;
  readonly timeouts: number;
  readonly timeoutRate: number;
  readonly completionRate: number;
}

export interface TrajectoryInfo {
  readonly richness: string;
  readonly avgStepCount: number;
}

export interface PromptComparison {
  readonly id: string;
  /** null: a tie. */
  readonly winner: string | null;
  readonly scores: Readonly<Record<string, number>>;
  readonly latencies: Readonly<Record<string, number>>;
  readonly hadErrors: Readonly<Record<string, boolean>>;
}

export interface PairwiseComparison {
  readonly runA: string;
  readonly runB: string;
  readonly aWins: number;
  readonly bWins: number;
  readonly ties: number;
}

export const INTERVAL: Shape = listOf({ type: 'number', min: Number.NEGATIVE_INFINITY });
export const LABEL_OR_TIE: Shape = { type: 'either', shapes: [TEXT, { type: 'null' }] };

export const LATENCY: Shape = openObject<LatencyStats>({
  p50: required(AMOUNT, 'milliseconds that half of them stay below'),
  p90: required(AMOUNT, 'milliseconds that nine of ten stay below'),
  p99: required(AMOUNT, 'milliseconds that 99 of 100 stay below'),
  mean: required(AMOUNT, 'on average'),
  min: required(AMOUNT, 'the quickest'),
  max: required(AMOUNT, 'the slowest'),
});

export const PAIRWISE: Shape = openObject<PairwiseComparison>({
  runA: required(TEXT, 'one run'),
  runB: required(TEXT, 'the other'),
  aWins: required(COUNT, 'cases that the one won'),
  bWins: required(COUNT, 'cases that the other won'),
  ties: required(COUNT, 'cases that neither won'),
});

export const comparisonReport: Format<ComparisonReport> = createFormat({
  name: 'ComparisonReport',
  says: 'How runs of capture compare.',
  shape: openObject<ComparisonReport>({
    meta: required(
      openObject<ComparisonMeta>({
        generatedAt: required(TEXT, 'when, ISO 8601'),
        runs: required(TEXTS, 'their labels'),
        promptCount: required(COUNT, 'cases compared'),
        promptsWithAllRuns: required(COUNT, 'cases that all runs have'),
      }),
      'what was compared',
    ),
    quality: required(
      mapOf(
        openObject<QualityMetrics>({
          avgScore: required(SHARE, 'the mean of the scores'),
          passRate: required(SHARE, 'the share that passed'),
          passCount: required(COUNT, 'how many passed'),
          failCount: required(COUNT, 'how many failed'),
          scoreDistribution: required(
            openObject<Record<ScoreBucket, number>>({
              '0.0-0.2': required(COUNT, 'scores below 0.2'),
              '0.2-0.4': required(COUNT, 'scores from 0.2 on'),
              '0.4-0.6': required(COUNT, 'scores from 0.4 on'),
              '0.6-0.8': required(COUNT, 'scores from 0.6 on'),
              '0.8-1.0': required(COUNT, 'scores from 0.8 on'),
            }),
            'how many scores fall where',
          ),
          confidenceIntervals: optional(mapOf(INTERVAL), 'low and high of avgScore and passRate'),
        }),
      ),
      'how good, by run',
    ),
    performance: required(
      mapOf(
        openObject<PerformanceMetrics>({
          latency: required(LATENCY, 'of whole cases'),
          firstResponse: optional(LATENCY, "until the agent's first sign of work"),
          totalDuration: required(AMOUNT, 'milliseconds of all cases together'),
          confidenceIntervals: optional(mapOf(INTERVAL), 'low and high of latencyMean'),
        }),
      ),
      'how quick, by run',
    ),
    reliability: required(
      mapOf(
        openObject<ReliabilityMetrics>({
          toolErrors: required(COUNT, 'cases with a tool call that failed'),
          toolErrorRate: required(SHARE, 'their share'),
          timeouts: required(COUNT, 'cases that took too long'),
          timeoutRate: required(SHARE, 'their share'),
          completionRate: required(SHARE, 'the share of cases that came to their end'),
        }),
      ),
      'how dependable, by run',
    ),
    trajectoryInfo: required(
      mapOf(
        openObject<TrajectoryInfo>({
          richness: required(TEXT, 'full, messages-only or minimal'),
          avgStepCount: required(AMOUNT, 'steps of a case on average'),
        }),
      ),
      'how much the agents tell, by run',
    ),
    headToHead: required(
      openObject<ComparisonReport['headToHead']>({
        prompts: required(
          listOf(
            openObject<PromptComparison>({
              id: required(TEXT, 'the case'),
              winner: required(LABEL_OR_TIE, 'the label of the run that won; null for a tie'),
              scores: required(mapOf(AMOUNT), 'by run'),
              latencies: required(mapOf(AMOUNT), 'milliseconds, by run'),
              hadErrors: required(mapOf(FLAG), 'by run'),
            }),
          ),
          'case by case',
        ),
        pairwise: required(listOf(PAIRWISE), 'each run against each other'),
      }),
      'run against run',
    ),
  }),
});
