import {
  AMOUNT,
  ANY,
  COUNT,
  createFormat,
  FLAG,
  type Format,
  INPUT,
  listOf,
  mapOf,
  NUMBER,
  openObject,
  optional,
  RECORD,
  required,
  SHARE,
  TEXT,
} from './format.ts';
import { TRAJECTORY, type TrajectoryStep } from './trajectory.ts';

/** What a grader is given: one attempt of an agent. */
export interface GraderParams {
  readonly input: string | readonly string[];
  readonly output: string;
  readonly hint?: string;
  readonly reference?: string;
  readonly trajectory?: readonly TrajectoryStep[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where the agent worked, with what it left there. */
  readonly cwd?: string;
}

/** What a grader found. */
export interface GraderResult {
  readonly pass: boolean;
  /** From 0 to 1. */
  readonly score: number;
  readonly reasoning?: string;
  /** Whatever else it found out. */
  readonly outcome?: Readonly<Record<string, unknown>>;
}

/** What a comparison grader is given: how several runs did on one case. */
export interface ComparisonGraderParams {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly hint?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** By the label of the run. */
  readonly runs: Readonly<Record<string, ComparedCapture | ComparedTrials>>;
}

/** One run's attempt at a case. */
export interface ComparedCapture {
  readonly output: string;
  readonly trajectory?: readonly TrajectoryStep[];
  readonly score?: GraderResult;
  readonly duration?: number;
  readonly toolErrors?: boolean;
}

/** One run's trials of a case. */
export interface ComparedTrials {
  readonly passRate?: number;
  readonly passAtK?: number;
  readonly passExpK?: number;
  readonly k: number;
  readonly trials?: readonly unknown[];
}

export interface ComparisonGraderResult {
  /** Best first; runs with the same rank tied. */
  readonly rankings: readonly { readonly run: string; readonly rank: number; readonly score: number }[];
  readonly reasoning?: string;
}

export const graderParams: Format<GraderParams> = createFormat({
  name: 'GraderParams',
  says: 'What a grader is given on stdin, or as its argument.',
  shape: openObject<GraderParams>({
    input: required(INPUT, 'what the agent was asked'),
    output: required(TEXT, 'what it answered'),
    hint: optional(TEXT, 'what a good answer has'),
    reference: optional(TEXT, 'an answer that is right'),
    trajectory: optional(TRAJECTORY, 'what it did'),
    metadata: optional(RECORD, 'of the case'),
    cwd: optional(TEXT, 'where it worked, with what it left there'),
  }),
  renamed: { expected: 'hint' },
});

export const graderResult: Format<GraderResult> = createFormat({
  name: 'GraderResult',
  says: 'What a grader found.',
  shape: openObject<GraderResult>({
    pass: required(FLAG, 'whether it is good enough'),
    score: required(SHARE, 'how good it is, from 0 to 1'),
    reasoning: optional(TEXT, 'why, in words'),
    outcome: optional(RECORD, 'whatever else was found out'),
  }),
});

const comparedCapture = openObject<ComparedCapture>({
  output: required(TEXT, 'what the agent answered'),
  trajectory: optional(TRAJECTORY, 'what it did'),
  score: optional(graderResult.shape, 'what the grader of the run found'),
  duration: optional(AMOUNT, 'milliseconds'),
  toolErrors: optional(FLAG, 'whether a tool call failed'),
});

const comparedTrials = openObject<ComparedTrials>({
  passRate: optional(SHARE, 'the share of trials that passed'),
  passAtK: optional(SHARE, 'the chance that one of k passes'),
  passExpK: optional(SHARE, 'the chance that all of k pass'),
  k: required(COUNT, 'how many'),
  trials: optional(listOf(ANY), 'the trials'),
});

export const comparisonGraderParams: Format<ComparisonGraderParams> = createFormat({
  name: 'ComparisonGraderParams',
  says: 'What a comparison grader is given: how several runs did on one case.',
  shape: openObject<ComparisonGraderParams>({
    id: required(TEXT, 'the case'),
    input: required(INPUT, 'what the agents were asked'),
    hint: optional(TEXT, 'what a good answer has'),
    metadata: optional(RECORD, 'of the case'),
    runs: required(mapOf({ type: 'either', shapes: [comparedCapture, comparedTrials] }), 'by the label of the run'),
  }),
  renamed: { expected: 'hint' },
});

export const comparisonGraderResult: Format<ComparisonGraderResult> = createFormat({
  name: 'ComparisonGraderResult',
  says: 'How a comparison grader ranks runs.',
  shape: openObject<ComparisonGraderResult>({
    rankings: required(
      listOf(
        openObject<ComparisonGraderResult['rankings'][number]>({
          run: required(TEXT, 'the label of the run'),
          rank: required({ type: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER }, '1 is best; equal ranks tie'),
          score: required(NUMBER, 'how good it is'),
        }),
      ),
      'each run with its rank',
    ),
    reasoning: optional(TEXT, 'why, in words'),
  }),
});
