import { HarnessError } from '../errors.ts';
import type { PromptCase } from '../formats/prompt-case.ts';
import type { TrialEntry, TrialResult } from '../formats/trial-result.ts';
import { trialMetrics, wilsonInterval } from '../statistics/index.ts';
import { openWorkspaces } from '../workspaces/open-workspaces.ts';
import { agentNameOf, HARNESS_FACTS } from './harness-facts.ts';
import { mapBounded } from './map-bounded.ts';
import { readCases } from './read-cases.ts';
import type { RunOptions } from './run-options.ts';
import { type GradedAttempt, tryCase } from './try-case.ts';

export interface TrialsOptions extends RunOptions {
  /** Of how many attempts pass@k and pass^k speak. Default: 5. */
  readonly k?: number;
  /** Attempts at each case; more than `k` tell more. Default: `k`. */
  readonly n?: number;
  /** Hears of each attempt that is done, before its case is. */
  readonly onTrial?: (task: PromptCase, entry: TrialEntry) => void;
}

interface Trial {
  readonly task: PromptCase;
  readonly trialNum: number;
}

/** Puts each case to the agent several times, each in a session and a workspace of its own, and gives a result for each case when all its attempts are done. */
export async function* trials(options: TrialsOptions): AsyncGenerator<TrialResult, void, undefined> {
  const { cases, cwd = process.cwd(), workspace = {}, concurrency = 1, isInOrder = false, signal, skip } = options;
  const { k = 5, n = k, onStart, onTrial } = options;
  if (!(Number.isInteger(k) && k >= 1))
    throw new HarnessError('options_invalid', `k is ${k}; it is a whole number from 1 on.`);
  if (!(Number.isInteger(n) && n >= k))
    throw new HarnessError('options_invalid', `n is ${n}; it is a whole number, and at least k (${k}).`);
  const agent = agentNameOf(options);
  await using workspaces = await openWorkspaces(workspace, cwd);
  const open = new Map<string, TrialEntry[]>();
  const attempts = mapBounded(
    repeat(readCases(cases, skip ? { skip } : {}), n),
    async ({ task, trialNum }, stop) => {
      onStart?.(task, trialNum);
      const name = `${task.id}-trial-${trialNum}`;
      const entry = toEntry(trialNum, await tryCase(task, { ...options, workspaces, name, signal: stop }));
      onTrial?.(task, entry);
      return { task, entry };
    },
    { concurrency, isInOrder, ...(signal && { signal }) },
  );
  for await (const { task, entry } of attempts) {
    const entries = [...(open.get(task.id) ?? []), entry];
    open.set(task.id, entries);
    if (entries.length < n) continue;
    open.delete(task.id);
    yield toResult(
      task,
      entries.toSorted((a, b) => a.trialNum - b.trialNum),
      { k, n, agent },
    );
  }
}

async function* repeat(tasks: AsyncIterable<PromptCase>, times: number): AsyncGenerator<Trial, void, undefined> {
  for await (const task of tasks) for (let trialNum = 1; trialNum <= times; trialNum += 1) yield { task, trialNum };
}

function toEntry(trialNum: number, attempt: GradedAttempt): TrialEntry {
  const { output, trajectory, score, timing, ...rest } = attempt;
  return {
    trialNum,
    output,
    trajectory,
    duration: timing.total,
    ...(score && { pass: score.pass, score: score.score }),
    ...(score?.reasoning !== undefined && { reasoning: score.reasoning }),
    ...(score?.outcome && { outcome: score.outcome }),
    timing,
    ...rest,
  };
}

function toResult(
  { id, input, hint, reference, metadata }: PromptCase,
  entries: readonly TrialEntry[],
  { k, n, agent }: { readonly k: number; readonly n: number; readonly agent: string },
): TrialResult {
  const graded = entries.filter(({ pass }) => pass !== undefined);
  const tries = { passes: graded.filter(({ pass }) => pass).length, trials: graded.length };
  const metrics = graded.length > 0 ? trialMetrics(tries, k) : undefined;
  const interval = graded.length > 0 ? wilsonInterval(tries) : undefined;
  return {
    id,
    input,
    ...(hint !== undefined && { hint }),
    ...(reference !== undefined && { reference }),
    k,
    n,
    ...metrics,
    ...(interval && { passRateInterval: [interval.low, interval.high] }),
    trials: entries,
    metadata: { ...metadata, agent },
    harness: HARNESS_FACTS,
  };
}
