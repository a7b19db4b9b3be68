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
  /** The chance that at least one of k attempts passes. */
  readonly passAtK?: number;
  /** The chance that all of k attempts pass. */
  readonly passExpK?: number;
  /** How those two were reckoned; `plug-in` where it is absent, as other tools do. */
  readonly estimator?: 'unbiased' | 'plug-in';
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
    passAtK: optional(SHARE, 'the chance that one of k passes'),
    passExpK: optional(SHARE, 'the chance that all of k pass'),
    estimator: optional(
      { type: 'choice', values: ['unbiased', 'plug-in'] },
      'how those two were reckoned; plug-in where it is absent',
    ),
    trials: required(listOf(trialEntry.shape), 'the attempts'),
    metadata: optional(RECORD, 'of the case and the run'),
    harness: optional(HARNESS, 'what wrote this'),
  }),
  renamed: { expected: 'hint' },
});
