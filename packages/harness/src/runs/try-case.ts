import { resolve } from 'node:path';
import { type Attempt, runAttempt } from '../attempts/attempt.ts';
import { explainFailure } from '../attempts/failure.ts';
import type { WorkspaceRecord } from '../formats/attempt.ts';
import type { GraderResult } from '../formats/grader.ts';
import type { PromptCase } from '../formats/prompt-case.ts';
import type { Workspaces } from '../workspaces/workspace.ts';
import { DEFAULT_ATTEMPT_TIMEOUT_MS, type RunOptions } from './run-options.ts';

/** An attempt with what its grader found. */
export interface GradedAttempt extends Attempt {
  readonly score?: GraderResult;
  readonly graderError?: string;
}

export interface TryOptions extends Omit<RunOptions, 'cases'> {
  readonly workspaces: Workspaces;
  /** What the workspace is called. */
  readonly name: string;
}

/** One attempt at a case, in a workspace of its own, and graded there before that is removed. */
export async function tryCase(task: PromptCase, options: TryOptions): Promise<GradedAttempt> {
  const { workspaces, name, timeoutMs = DEFAULT_ATTEMPT_TIMEOUT_MS, signal } = options;
  const start = Date.now();
  let workspace: Awaited<ReturnType<Workspaces['open']>>;
  try {
    workspace = await workspaces.open(name);
  } catch (error) {
    return withoutWorkspace(error, start, options);
  }
  let isFailure = true;
  let graded: GradedAttempt | undefined;
  let record: WorkspaceRecord | undefined;
  try {
    const { cwd } = workspace;
    const attempt = await runAttempt(task, {
      ...pickAgent(options),
      cwd,
      timeoutMs: task.timeout ?? timeoutMs,
      ...(signal && { signal }),
    });
    record = await workspace.measure();
    graded = await gradeAttempt(task, attempt, { ...options, cwd });
    isFailure = graded.failure !== undefined || graded.graderError !== undefined || graded.score?.pass === false;
  } finally {
    const { isKept } = await workspace.release({ isFailure });
    record &&= { ...record, isKept };
  }
  return { ...graded, ...(record && { workspace: record }) };
}

function pickAgent({
  agent,
  connect,
  session,
  settings,
}: TryOptions): Pick<TryOptions, 'agent' | 'connect' | 'session' | 'settings'> {
  return { agent, ...(connect && { connect }), ...(session && { session }), ...(settings && { settings }) };
}

/** An attempt that did not come to its end has not passed; its grader is not asked. */
async function gradeAttempt(
  task: PromptCase,
  attempt: Attempt,
  options: TryOptions & { readonly cwd: string },
): Promise<GradedAttempt> {
  const { grader, cwd, signal } = options;
  if (!grader) return attempt;
  if (attempt.failure !== undefined) return { ...attempt, score: failedScore(attempt) };
  const { input, hint, reference, metadata } = task;
  try {
    const params = {
      input,
      output: attempt.output,
      ...(hint !== undefined && { hint }),
      ...(reference !== undefined && { reference }),
      trajectory: attempt.trajectory,
      ...(metadata && { metadata }),
      cwd: resolve(cwd),
    };
    return { ...attempt, score: await grader.grade(params, signal ? { signal } : {}) };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...attempt, graderError: explainFailure(error) };
  }
}

function failedScore({ errors = [] }: Attempt): GraderResult {
  return { pass: false, score: 0, reasoning: `Error: ${errors.join(' ')}` };
}

function withoutWorkspace(error: unknown, start: number, { grader }: TryOptions): GradedAttempt {
  const total = Date.now() - start;
  const attempt: Attempt = {
    output: '',
    trajectory: [],
    timing: { start, end: start + total, sessionCreation: 0, total },
    toolErrors: true,
    metadata: { trajectoryRichness: 'minimal', turnCount: 0, timedOut: false },
    failure: 'workspace',
    errors: [explainFailure(error)],
  };
  return grader ? { ...attempt, score: failedScore(attempt) } : attempt;
}
