import type { CaptureResult } from '../formats/capture-result.ts';
import type { PromptCase } from '../formats/prompt-case.ts';
import { openWorkspaces } from '../workspaces/open-workspaces.ts';
import { agentNameOf, HARNESS_FACTS } from './harness-facts.ts';
import { mapBounded } from './map-bounded.ts';
import { readCases } from './read-cases.ts';
import type { RunOptions } from './run-options.ts';
import { type GradedAttempt, tryCase } from './try-case.ts';

export interface CaptureOptions extends RunOptions {}

/**
 * Puts each case to the agent once, and gives all that it said and did. A case that fails is a result as any other; only cases that cannot be read, and a grader or
 * a workspace that cannot be used at all, end the run. Who stops iterating ends the agents that run.
 */
export async function* capture(options: CaptureOptions): AsyncGenerator<CaptureResult, void, undefined> {
  const {
    cases,
    cwd = process.cwd(),
    workspace = {},
    concurrency = 1,
    isInOrder = false,
    signal,
    skip,
    onStart,
  } = options;
  const agent = agentNameOf(options);
  await using workspaces = await openWorkspaces(workspace, cwd);
  yield* mapBounded(
    readCases(cases, skip ? { skip } : {}),
    async (task, stop) => {
      onStart?.(task);
      return toResult(task, agent, await tryCase(task, { ...options, workspaces, name: task.id, signal: stop }));
    },
    { concurrency, isInOrder, ...(signal && { signal }) },
  );
}

function toResult(task: PromptCase, agent: string, attempt: GradedAttempt): CaptureResult {
  const { id, input, hint, reference, metadata } = task;
  const { output, trajectory, metadata: facts, timing, toolErrors, score, ...rest } = attempt;
  return {
    id,
    input,
    output,
    ...(hint !== undefined && { hint }),
    ...(reference !== undefined && { reference }),
    trajectory,
    metadata: {
      ...metadata,
      agent,
      ...facts,
      ...(rest.workspace && { workspaceDir: rest.workspace.path }),
    },
    timing,
    toolErrors,
    ...(score && { score }),
    ...(score?.outcome && { outcome: score.outcome }),
    ...rest,
    harness: HARNESS_FACTS,
  };
}
