import { ATTEMPT_FIELDS, type AttemptFacts, HARNESS, type HarnessFacts, TIMING, type Timing } from './attempt.ts';
import {
  AMOUNT,
  COUNT,
  createFormat,
  FLAG,
  type Format,
  INPUT,
  listOf,
  openObject,
  optional,
  RECORD,
  required,
  SHARE,
  TEXT,
} from './format.ts';
import { TRAJECTORY, type TrajectoryStep } from './trajectory.ts';

/** One of several attempts at a case. */
export interface TrialEntry extends AttemptFacts {
  /** Counted from one. */
  readonly trialNum: number;
  readonly output: string;
  readonly trajectory: readonly TrajectoryStep[];
  /** In milliseconds. */
  readonly duration: number;
  readonly pass?: boolean;
  readonly score?: number;
  readonly reasoning?: string;
  readonly outcome?: Readonly<Record<string, unknown>>;
  readonly toolErrors?: boolean;
  readonly timing?: Timing;
  /** Of this attempt: `trajectoryRichness`, `turnCount`, `timedOut`, `exitCode`, `signal`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What became of several attempts at one case. */
export interface TrialResult {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly hint?: string;
  readonly reference?: string;
  /** Of how many attempts `passAtK` and `passExpK` speak. */
  readonly k: number;
  /** Attempts made; `k` where it is absent. */
  readonly n?: number;
  readonly passRate?: number;
  /** Wilson's interval of `passRate` at 95 %. */
  readonly passRateInterval?: readonly [number, number];
  /** `1 - (1 - passRate)^k`: the plug-in estimate, as other tools write it. */
  readonly passAtK?: number;
  /** `1 - C(n - passes, k) / C(n, k)`: right on average. */
  readonly passAtKUnbiased?: number;
  /** `passRate^k`. */
  readonly passExpK?: number;
  /** `C(passes, k) / C(n, k)`: right on average. */
  readonly passExpKUnbiased?: number;
  readonly trials: readonly TrialEntry[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly harness?: HarnessFacts;
}

export const trialEntry: Format<TrialEntry> = createFormat({
  name: 'TrialEntry',
  says: 'One of several attempts at a case.',
  shape: openObject<TrialEntry>({
    trialNum: required(COUNT, 'counted from one'),
    output: required(TEXT, 'what the agent said in its last turn'),
    trajectory: required(TRAJECTORY, 'what it did'),
    duration: required(AMOUNT, 'milliseconds'),
    pass: optional(FLAG, 'whether it is good enough'),
    score: optional(SHARE, 'how good it is, from 0 to 1'),
    reasoning: optional(TEXT, 'why, in words'),
    outcome: optional(RECORD, 'what the grader found out besides'),
    toolErrors: optional(FLAG, 'whether a tool call failed, or the attempt did'),
    timing: optional(TIMING, 'how long it took'),
    metadata: optional(RECORD, 'of this attempt'),
    ...ATTEMPT_FIELDS,
  }),
});

export const trialResult: Format<TrialResult> = createFormat({
  name: 'TrialResult',
  says: 'What became of several attempts at one case.',
  shape: openObject<TrialResult>({
    id: required(TEXT, 'the case'),
    input: required(INPUT, 'what the agent was asked'),
    hint: optional(TEXT, 'what a good answer has'),
    reference: optional(TEXT, 'an answer that is right'),
    k: required(COUNT, 'of how many attempts passAtK and passExpK speak'),
    n: optional(COUNT, 'attempts made; k where it is absent'),
    passRate: optional(SHARE, 'the share of attempts that passed'),
    passRateInterval: optional(listOf(SHARE), "Wilson's interval of passRate at 95 %"),
    passAtK: optional(SHARE, 'the chance that one of k passes: 1 - (1 - passRate)^k'),
    passAtKUnbiased: optional(SHARE, 'the same, right on average: 1 - C(n - passes, k) / C(n, k)'),
    passExpK: optional(SHARE, 'the chance that all of k pass: passRate^k'),
    passExpKUnbiased: optional(SHARE, 'the same, right on average: C(passes, k) / C(n, k)'),
    trials: required(listOf(trialEntry.shape), 'the attempts'),
    metadata: optional(RECORD, 'of the case and the run'),
    harness: optional(HARNESS, 'what wrote this'),
  }),
  renamed: { expected: 'hint' },
});
