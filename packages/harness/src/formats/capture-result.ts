import { ATTEMPT_FIELDS, type AttemptFacts, HARNESS, type HarnessFacts, TIMING, type Timing } from './attempt.ts';
import { createFormat, FLAG, type Format, INPUT, openObject, optional, RECORD, required, TEXT } from './format.ts';
import { type GraderResult, graderResult } from './grader.ts';
import { TRAJECTORY, type TrajectoryStep } from './trajectory.ts';

/** What became of one case: all that the agent said and did. */
export interface CaptureResult extends AttemptFacts {
  readonly id: string;
  readonly input: string | readonly string[];
  /** What the agent said in its last turn; empty when it got to none. */
  readonly output: string;
  readonly hint?: string;
  readonly reference?: string;
  readonly trajectory: readonly TrajectoryStep[];
  /** The case's own, and `agent`, `trajectoryRichness`, `turnCount`, `timedOut`, `exitCode`, `signal`, `workspaceDir`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly timing: Timing;
  /** Whether a tool call failed, or the attempt did. */
  readonly toolErrors: boolean;
  readonly score?: GraderResult;
  /** What the grader found out besides. */
  readonly outcome?: Readonly<Record<string, unknown>>;
  readonly harness?: HarnessFacts;
}

/** How much of its work an agent tells. */
export type TrajectoryRichness = 'full' | 'messages-only' | 'minimal';

export const captureResult: Format<CaptureResult> = createFormat({
  name: 'CaptureResult',
  says: 'What became of one case.',
  shape: openObject<CaptureResult>({
    id: required(TEXT, 'the case'),
    input: required(INPUT, 'what the agent was asked'),
    output: required(TEXT, 'what it said in its last turn'),
    hint: optional(TEXT, 'what a good answer has'),
    reference: optional(TEXT, 'an answer that is right'),
    trajectory: required(TRAJECTORY, 'what it did'),
    metadata: required(RECORD, 'of the case, the agent and the run'),
    timing: required(TIMING, 'how long it took'),
    toolErrors: required(FLAG, 'whether a tool call failed, or the attempt did'),
    score: optional(graderResult.shape, 'what the grader found'),
    outcome: optional(RECORD, 'what the grader found out besides'),
    harness: optional(HARNESS, 'what wrote this'),
    ...ATTEMPT_FIELDS,
  }),
  renamed: { expected: 'hint' },
});
