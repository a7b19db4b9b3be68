import type { Shape } from '@parley/host/json-files';
import {
  AMOUNT,
  ANY,
  COUNT,
  createFormat,
  type Format,
  listOf,
  openObject,
  optional,
  required,
  TEXT,
} from './format.ts';
import { PERMISSION, type PermissionRecord } from './permission.ts';

/** One thing that an agent did, in the order in which it began. */
export type TrajectoryStep = ThoughtStep | MessageStep | ToolCallStep | PlanStep;

interface StepFacts {
  /** When it arrived, in milliseconds since the case began. */
  readonly timestamp: number;
  /** Names it within a report. */
  readonly stepId?: string;
  /** The turn it belongs to, counted from one. */
  readonly turn?: number;
}

export interface ThoughtStep extends StepFacts {
  readonly type: 'thought';
  readonly content: string;
}

export interface MessageStep extends StepFacts {
  readonly type: 'message';
  readonly content: string;
}

export interface ToolCallStep extends StepFacts {
  readonly type: 'tool_call';
  /** The tool's name where the agent tells it, else the title of the call. */
  readonly name: string;
  /** `pending`, `in_progress`, `completed`, `failed` or `cancelled`; other tools have words of their own. */
  readonly status: string;
  readonly input?: unknown;
  readonly output?: unknown;
  /** Milliseconds from its first mention to its end. */
  readonly duration?: number;
  readonly toolCallId?: string;
  readonly title?: string;
  readonly kind?: string;
  /** Files that it touches. */
  readonly locations?: readonly string[];
  /** The tool call that this one is part of, when a sub-agent made it. */
  readonly parentToolCallId?: string;
  /** What was decided when the agent asked for leave. */
  readonly permission?: PermissionRecord;
}

export interface PlanStep extends StepFacts {
  readonly type: 'plan';
  readonly entries: readonly unknown[];
  readonly planId?: string;
}

const FACTS = {
  timestamp: required(AMOUNT, 'when it arrived, in milliseconds since the case began'),
  stepId: optional(TEXT, 'names it within a report'),
  turn: optional(COUNT, 'the turn it belongs to, counted from one'),
};

export const trajectoryStep: Format<TrajectoryStep> = createFormat({
  name: 'TrajectoryStep',
  says: 'One thing that an agent did.',
  shape: {
    type: 'tagged',
    tag: 'type',
    shapes: {
      thought: openObject<ThoughtStep>({
        type: required({ type: 'choice', values: ['thought'] }, 'it thought'),
        content: required(TEXT, 'what it thought'),
        ...FACTS,
      }),
      message: openObject<MessageStep>({
        type: required({ type: 'choice', values: ['message'] }, 'it spoke'),
        content: required(TEXT, 'what it said'),
        ...FACTS,
      }),
      tool_call: openObject<ToolCallStep>({
        type: required({ type: 'choice', values: ['tool_call'] }, 'it used a tool'),
        name: required(TEXT, "the tool's name, or the title of the call"),
        status: required(TEXT, 'pending, in_progress, completed, failed or cancelled'),
        input: optional(ANY, 'what the tool was given'),
        output: optional(ANY, 'what it gave back'),
        duration: optional(AMOUNT, 'milliseconds from its first mention to its end'),
        toolCallId: optional(TEXT, "the agent's id for it"),
        title: optional(TEXT, 'its title for people'),
        kind: optional(TEXT, 'read, edit, execute and so on'),
        locations: optional(listOf(TEXT), 'files that it touches'),
        parentToolCallId: optional(TEXT, 'the tool call that this one is part of'),
        permission: optional(PERMISSION, 'what was decided when the agent asked for leave'),
        ...FACTS,
      }),
      plan: openObject<PlanStep>({
        type: required({ type: 'choice', values: ['plan'] }, 'it made a plan'),
        entries: required(listOf(ANY), 'the steps of the plan'),
        planId: optional(TEXT, 'which plan, where there are several'),
        ...FACTS,
      }),
    },
  },
});

export const TRAJECTORY: Shape = listOf(trajectoryStep.shape);
