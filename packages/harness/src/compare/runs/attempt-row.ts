/** One attempt at a task in numbers: what comparisons and plots need of it, without its words. */
export interface AttemptRow {
  /** Counted from one. */
  readonly number: number;
  /** Undefined where nothing was graded, or where the harness itself failed. */
  readonly pass?: boolean;
  /** From 0 to 1. */
  readonly score?: number;
  readonly durationMs: number;
  readonly firstResponseMs?: number;
  readonly steps: number;
  readonly toolCalls: number;
  /** A tool call failed, or the attempt did. */
  readonly hasToolErrors: boolean;
  readonly isTimeout: boolean;
  readonly hasErrors: boolean;
  /** Permissions that the agent asked for and did not get. */
  readonly denied: number;
  readonly tokens?: number;
  readonly cost?: number;
  readonly currency?: string;
  /** Why it did not pass; undefined for one that did, or that nobody judged. */
  readonly cause?: FailureCause;
}

/** `grader` and `workspace` are faults of the evaluation: they count for nobody. */
export type FailureKind =
  | 'grader'
  | 'workspace'
  | 'timeout'
  | 'start'
  | 'died'
  | 'agent'
  | 'stopped'
  | 'denied'
  | 'tool'
  | 'silent'
  | 'wrong';

export interface FailureCause {
  readonly kind: FailureKind;
  /** In the words of the agent, the grader or the harness; one line, cut. */
  readonly detail: string;
}

/** A task in one run. */
export interface CaseRow {
  readonly id: string;
  readonly attempts: readonly AttemptRow[];
  /** Of how many attempts pass@k and pass^k speak. */
  readonly k: number;
  /** How much the agent told of its work. */
  readonly richness?: string;
}

/** What a file of results says: one attempt a task, or several. */
export type RunKind = 'captures' | 'trials';

/** All that was read of one run. */
export interface RunRows {
  readonly label: string;
  readonly kind: RunKind;
  /** By the id of the task, in the order of the file. */
  readonly cases: ReadonlyMap<string, CaseRow>;
  /** Whether a grader has looked at it. */
  readonly isGraded: boolean;
}

export const FAILURE_WORDS: Readonly<Record<FailureKind, string>> = {
  grader: 'the grader failed',
  workspace: 'no workspace',
  timeout: 'took too long',
  start: 'the agent did not start',
  died: 'the agent ended by itself',
  agent: 'the agent answered with an error',
  stopped: 'the agent stopped early',
  denied: 'a permission was denied',
  tool: 'a tool call failed',
  silent: 'no answer',
  wrong: 'wrong answer',
};

/** Whether an attempt says something of the agent. */
export function isCounted({ cause }: AttemptRow): boolean {
  return cause?.kind !== 'grader' && cause?.kind !== 'workspace';
}
