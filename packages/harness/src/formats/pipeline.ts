import {
  AMOUNT,
  COUNT,
  createFormat,
  type FieldsOf,
  FLAG,
  type Format,
  INPUT,
  listOf,
  openObject,
  optional,
  RECORD,
  required,
  TEXT,
  TEXTS,
} from './format.ts';
import { type GraderResult, graderResult } from './grader.ts';
import { TRAJECTORY, type TrajectoryStep } from './trajectory.ts';

/** What a command wrote for one case, line by line. */
export interface RawResult {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly hint?: string;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** All of its lines, whatever they say. */
  readonly rawLines: readonly string[];
  /** When each line arrived, in milliseconds since the start. */
  readonly lineTimes?: readonly number[];
  readonly timing: { readonly start: number; readonly end: number; readonly total: number };
  /** Why it did not come to its end. */
  readonly error?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut?: boolean;
  /** The end of what it wrote to stderr. */
  readonly stderr?: string;
  /** Where it ran. */
  readonly cwd?: string;
}

/** The same, with what the lines say. */
export interface ExtractedResult extends RawResult {
  readonly output: string;
  readonly trajectory: readonly TrajectoryStep[];
  readonly toolErrors: boolean;
}

/** The same, with what a grader found. */
export interface GradedResult extends ExtractedResult {
  readonly score?: GraderResult;
  readonly outcome?: Readonly<Record<string, unknown>>;
  /** Why there is no score. */
  readonly graderError?: string;
}

const RAW_FIELDS: FieldsOf<RawResult> = {
  id: required(TEXT, 'the case'),
  input: required(INPUT, 'what the command was asked'),
  hint: optional(TEXT, 'what a good answer has'),
  reference: optional(TEXT, 'an answer that is right'),
  metadata: optional(RECORD, 'of the case'),
  rawLines: required(TEXTS, 'all of its lines'),
  lineTimes: optional(listOf(AMOUNT), 'when each line arrived, in milliseconds since the start'),
  timing: required(
    openObject<RawResult['timing']>({
      start: required(AMOUNT, 'when it began, in milliseconds since 1970'),
      end: required(AMOUNT, 'when it ended'),
      total: required(AMOUNT, 'milliseconds of it all'),
    }),
    'how long it took',
  ),
  error: optional(TEXT, 'why it did not come to its end'),
  exitCode: optional(COUNT, 'of the command'),
  signal: optional(TEXT, 'that ended the command'),
  timedOut: optional(FLAG, 'whether it took too long'),
  stderr: optional(TEXT, 'the end of what it wrote to stderr'),
  cwd: optional(TEXT, 'where it ran'),
};

const EXTRACTED_FIELDS: FieldsOf<ExtractedResult> = {
  ...RAW_FIELDS,
  output: required(TEXT, 'what it answered'),
  trajectory: required(TRAJECTORY, 'what it did'),
  toolErrors: required(FLAG, 'whether a tool call failed, or the command did'),
};

export const rawResult: Format<RawResult> = createFormat({
  name: 'RawResult',
  says: 'What a command wrote for one case, line by line.',
  shape: openObject<RawResult>(RAW_FIELDS),
});

export const extractedResult: Format<ExtractedResult> = createFormat({
  name: 'ExtractedResult',
  says: 'What a command wrote for one case, and what it means.',
  shape: openObject<ExtractedResult>(EXTRACTED_FIELDS),
});

export const gradedResult: Format<GradedResult> = createFormat({
  name: 'GradedResult',
  says: 'What a command wrote for one case, what it means, and how good it is.',
  shape: openObject<GradedResult>({
    ...EXTRACTED_FIELDS,
    score: optional(graderResult.shape, 'what the grader found'),
    outcome: optional(RECORD, 'what it found out besides'),
    graderError: optional(TEXT, 'why there is no score'),
  }),
});
