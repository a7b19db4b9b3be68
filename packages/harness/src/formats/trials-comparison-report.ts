import {
  INTERVAL,
  type Interval,
  LABEL_OR_TIE,
  LATENCY,
  type LatencyStats,
  PAIRWISE,
  type PairwiseComparison,
} from './comparison-report.ts';
import {
  AMOUNT,
  COUNT,
  createFormat,
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

/** How runs of `trials` compare. Maps are by the label of the run. */
export interface TrialsComparisonReport {
  readonly meta: TrialsComparisonMeta;
  readonly capability: Readonly<Record<string, CapabilityMetrics>>;
  readonly reliability: Readonly<Record<string, ConsistencyMetrics>>;
  readonly flakiness: Readonly<Record<string, FlakinessMetrics>>;
  readonly quality?: Readonly<Record<string, ScoreMetrics>>;
  readonly performance?: Readonly<Record<string, { readonly latency: LatencyStats; readonly totalDuration: number }>>;
  readonly headToHead: {
    readonly capability: readonly PairwiseComparison[];
    readonly reliability: readonly PairwiseComparison[];
    readonly overall: readonly PairwiseComparison[];
  };
  readonly perPrompt: readonly TrialsPromptComparison[];
}

export interface TrialsComparisonMeta {
  readonly generatedAt: string;
  readonly runs: readonly string[];
  readonly promptCount: number;
  readonly trialsPerPrompt: number;
  readonly inputFormat: 'trials';
}

export interface CapabilityMetrics {
  readonly avgPassAtK: number;
  readonly medianPassAtK: number;
  readonly p25PassAtK: number;
  readonly p75PassAtK: number;
  readonly confidenceIntervals?: { readonly avgPassAtK?: Interval };
}

export interface ConsistencyMetrics {
  readonly avgPassExpK: number;
  readonly medianPassExpK: number;
  readonly p25PassExpK: number;
  readonly p75PassExpK: number;
  readonly confidenceIntervals?: { readonly avgPassExpK?: Interval };
}

export interface FlakinessMetrics {
  readonly avgFlakiness: number;
  readonly medianFlakiness: number;
  readonly flakyPromptCount: number;
  readonly topFlakyPrompts: readonly { readonly id: string; readonly flakiness: number }[];
}

export interface ScoreMetrics {
  readonly avgScore: number;
  readonly medianScore: number;
  readonly p25Score: number;
  readonly p75Score: number;
  readonly confidenceIntervals?: { readonly avgScore?: Interval };
}

export interface TrialsPromptComparison {
  readonly id: string;
  readonly capabilityWinner: string | null;
  readonly reliabilityWinner: string | null;
  readonly passAtK: Readonly<Record<string, number>>;
  readonly passExpK: Readonly<Record<string, number>>;
  readonly flakiness: Readonly<Record<string, number>>;
}

export const trialsComparisonReport: Format<TrialsComparisonReport> = createFormat({
  name: 'TrialsComparisonReport',
  says: 'How runs of trials compare.',
  shape: openObject<TrialsComparisonReport>({
    meta: required(
      openObject<TrialsComparisonMeta>({
        generatedAt: required(TEXT, 'when, ISO 8601'),
        runs: required(TEXTS, 'their labels'),
        promptCount: required(COUNT, 'cases compared'),
        trialsPerPrompt: required(COUNT, 'attempts at each'),
        inputFormat: required({ type: 'choice', values: ['trials'] }, 'what was compared'),
      }),
      'what was compared',
    ),
    capability: required(
      mapOf(
        openObject<CapabilityMetrics>({
          avgPassAtK: required(SHARE, 'the mean of pass@k'),
          medianPassAtK: required(SHARE, 'its median'),
          p25PassAtK: required(SHARE, 'what a quarter stays below'),
          p75PassAtK: required(SHARE, 'what three quarters stay below'),
          confidenceIntervals: optional(mapOf(INTERVAL), 'low and high of avgPassAtK'),
        }),
      ),
      'whether it can, by run',
    ),
    reliability: required(
      mapOf(
        openObject<ConsistencyMetrics>({
          avgPassExpK: required(SHARE, 'the mean of pass^k'),
          medianPassExpK: required(SHARE, 'its median'),
          p25PassExpK: required(SHARE, 'what a quarter stays below'),
          p75PassExpK: required(SHARE, 'what three quarters stay below'),
          confidenceIntervals: optional(mapOf(INTERVAL), 'low and high of avgPassExpK'),
        }),
      ),
      'whether it always does, by run',
    ),
    flakiness: required(
      mapOf(
        openObject<FlakinessMetrics>({
          avgFlakiness: required(SHARE, 'the mean of pass@k - pass^k'),
          medianFlakiness: required(SHARE, 'its median'),
          flakyPromptCount: required(COUNT, 'cases where it is above 0'),
          topFlakyPrompts: required(
            listOf(
              openObject<FlakinessMetrics['topFlakyPrompts'][number]>({
                id: required(TEXT, 'the case'),
                flakiness: required(SHARE, 'pass@k - pass^k'),
              }),
            ),
            'the worst of them',
          ),
        }),
      ),
      'how far the two differ, by run',
    ),
    quality: optional(
      mapOf(
        openObject<ScoreMetrics>({
          avgScore: required(SHARE, 'the mean of the scores'),
          medianScore: required(SHARE, 'their median'),
          p25Score: required(SHARE, 'what a quarter stays below'),
          p75Score: required(SHARE, 'what three quarters stay below'),
          confidenceIntervals: optional(mapOf(INTERVAL), 'low and high of avgScore'),
        }),
      ),
      'how good, by run',
    ),
    performance: optional(
      mapOf(
        openObject<{ readonly latency: LatencyStats; readonly totalDuration: number }>({
          latency: required(LATENCY, 'of single attempts'),
          totalDuration: required(AMOUNT, 'milliseconds of all attempts together'),
        }),
      ),
      'how quick, by run',
    ),
    headToHead: required(
      openObject<TrialsComparisonReport['headToHead']>({
        capability: required(listOf(PAIRWISE), 'by pass@k'),
        reliability: required(listOf(PAIRWISE), 'by pass^k'),
        overall: required(listOf(PAIRWISE), 'by both'),
      }),
      'run against run',
    ),
    perPrompt: required(
      listOf(
        openObject<TrialsPromptComparison>({
          id: required(TEXT, 'the case'),
          capabilityWinner: required(LABEL_OR_TIE, 'null for a tie'),
          reliabilityWinner: required(LABEL_OR_TIE, 'null for a tie'),
          passAtK: required(mapOf(SHARE), 'by run'),
          passExpK: required(mapOf(SHARE), 'by run'),
          flakiness: required(mapOf(SHARE), 'by run'),
        }),
      ),
      'case by case',
    ),
  }),
});
