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
  required,
  TEXT,
  TEXTS,
} from './format.ts';
import { type GraderResult, graderResult } from './grader.ts';
import { TRAJECTORY, type TrajectoryStep } from './trajectory.ts';

/** A result in few words. */
export interface SummaryResult {
  readonly id: string;
  /** Turns joined by line ends. */
  readonly input: string;
  readonly output: string;
  /** Names of the tools, in the order of their calls. */
  readonly toolCalls: readonly string[];
  /** In milliseconds. */
  readonly duration: number;
}

/** A failure for a person to look at: was the grader right? */
export interface CalibrationSample {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly output: string;
  readonly hint?: string;
  readonly originalScore: GraderResult;
  readonly rescoredResult?: GraderResult;
  readonly trajectorySnippet: readonly TrajectoryStep[];
}

/** How cases are spread over categories. */
export interface BalanceAnalysis {
  readonly totalCases: number;
  readonly categories: readonly CategoryShare[];
  readonly underrepresented: readonly string[];
  readonly suggestions: readonly string[];
}

export interface CategoryShare {
  readonly name: string;
  readonly count: number;
  /** Of all cases, from 0 to 100. */
  readonly percentage: number;
}

/** Whether a case's own reference passes its grader. */
export interface ValidationResult {
  readonly id: string;
  readonly reference: string;
  readonly passes: boolean;
  readonly graderResult: GraderResult;
}

export const summaryResult: Format<SummaryResult> = createFormat({
  name: 'SummaryResult',
  says: 'A result in few words.',
  shape: openObject<SummaryResult>({
    id: required(TEXT, 'the case'),
    input: required(TEXT, 'what the agent was asked'),
    output: required(TEXT, 'what it answered'),
    toolCalls: required(TEXTS, 'names of the tools, in the order of their calls'),
    duration: required(AMOUNT, 'milliseconds'),
  }),
});

export const calibrationSample: Format<CalibrationSample> = createFormat({
  name: 'CalibrationSample',
  says: 'A failure for a person to look at.',
  shape: openObject<CalibrationSample>({
    id: required(TEXT, 'the case'),
    input: required(INPUT, 'what the agent was asked'),
    output: required(TEXT, 'what it answered'),
    hint: optional(TEXT, 'what a good answer has'),
    originalScore: required(graderResult.shape, 'what the grader found'),
    rescoredResult: optional(graderResult.shape, 'what another grader found'),
    trajectorySnippet: required(TRAJECTORY, 'the first, middle and last steps'),
  }),
  renamed: { expected: 'hint' },
});

export const balanceAnalysis: Format<BalanceAnalysis> = createFormat({
  name: 'BalanceAnalysis',
  says: 'How cases are spread over categories.',
  shape: openObject<BalanceAnalysis>({
    totalCases: required(COUNT, 'all of them'),
    categories: required(
      listOf(
        openObject<CategoryShare>({
          name: required(TEXT, 'its name'),
          count: required(COUNT, 'cases in it'),
          percentage: required(AMOUNT, 'of all cases'),
        }),
      ),
      'with how many cases each',
    ),
    underrepresented: required(TEXTS, 'categories with too few cases'),
    suggestions: required(TEXTS, 'what to do about it'),
  }),
});

export const validationResult: Format<ValidationResult> = createFormat({
  name: 'ValidationResult',
  says: "Whether a case's own reference passes its grader.",
  shape: openObject<ValidationResult>({
    id: required(TEXT, 'the case'),
    reference: required(TEXT, 'the answer that is right'),
    passes: required(FLAG, 'whether the grader agrees'),
    graderResult: required(graderResult.shape, 'what it found'),
  }),
  renamed: { pass: 'passes' },
});
