import type { AgentOptions } from '../attempts/attempt.ts';
import type { PromptCase } from '../formats/prompt-case.ts';
import type { Grader } from '../graders/grader.ts';
import type { WorkspaceOptions } from '../workspaces/workspace.ts';

/** What is done with each case of a run. */
export interface RunOptions extends AgentOptions {
  /** A file, `-` for stdin, or the cases themselves. No two may have one id. */
  readonly cases: string | AsyncIterable<PromptCase> | Iterable<PromptCase>;
  /** What the agent is called in the results. Default: the source's name. */
  readonly agentName?: string;
  /** The folder of the run. Default: this process's. */
  readonly cwd?: string;
  readonly workspace?: WorkspaceOptions;
  /** For each attempt, unless its case says otherwise. Default: 5 minutes. */
  readonly timeoutMs?: number;
  /** Attempts that run at a time, each with an agent of its own. Default: 1. */
  readonly concurrency?: number;
  readonly grader?: Grader;
  /** Results come in the order of the cases. Default: as they are done. */
  readonly isInOrder?: boolean;
  /** Ids of cases that are left out: those that an earlier run has done. */
  readonly skip?: Pick<ReadonlySet<string>, 'has'> | undefined;
  /** Ends the run: turns are cancelled, agents ended, and what was not done has no result. */
  readonly signal?: AbortSignal;
  /** Hears of attempts that begin. */
  readonly onStart?: (task: PromptCase, trialNum?: number) => void;
}

export const DEFAULT_ATTEMPT_TIMEOUT_MS = 300_000;
