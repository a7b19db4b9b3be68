import { factsOf, type Outcome } from '../../check.ts';
import { formatFrame } from '../../messages/trace.ts';
import type { Probe } from '../../probe/probe.ts';
import type { CheckResult } from '../../report/report.ts';
import { STOPPED } from '../../run/progress.ts';
import { Verdict } from '../../verdict.ts';
import type { Check } from '../agent-check.ts';
import type { AgentRun } from './agent-run.ts';

export interface RunCheckOptions {
  /** The command that runs these checks and no others. */
  readonly reproOf: (ids: string) => string;
  readonly work: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** Frames that a result shows. */
const MAX_WIRE_LINES = 14;

/** Runs one check in the time it has, and cleans up after it. Never throws for anything the agent did. */
export async function runCheck(
  check: Check,
  run: AgentRun,
  { reproOf, work, signal }: RunCheckOptions,
): Promise<CheckResult> {
  const used = new Map<Probe, number>();
  run.onUse((probe) => used.set(probe, used.get(probe) ?? probe.trace.count));
  const startedAt = performance.now();
  const verdict = await judge(work, run.options.limits.checkMs, signal);
  const durationMs = Math.round(performance.now() - startedAt);
  run.onUse(() => {});

  const wire = verdict?.wire ?? wireOf(used);
  for (const [probe, from] of used) {
    const { spans } = run.hearings.find(({ trace }) => trace === probe.trace) ?? {};
    if (!check.isLint) spans?.push({ id: check.id, from, to: probe.trace.count });
    tidy(probe, run, verdict);
  }
  const outcome = outcomeOf(check, run, verdict);
  return {
    ...factsOf(check, run.options.protocol),
    outcome,
    ...(verdict ? { reason: verdict.message } : {}),
    ...(verdict?.expected === undefined ? {} : { expected: verdict.expected }),
    ...(verdict?.got === undefined ? {} : { got: verdict.got }),
    ...(verdict?.kind === 'unmet' ? { wire } : {}),
    durationMs,
    repro: reproOf(verdict?.heardIn === undefined ? check.id : `${check.id},${verdict.heardIn}`),
  };
}

const TIMED_OUT = 'The check took too long.';

/** What the work threw, or undefined if it went well. A mistake of our own is not hidden as one of the agent's. */
async function judge(
  work: () => Promise<void>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Verdict | undefined> {
  let resolve: (verdict: Verdict) => void = () => {};
  const cut = new Promise<Verdict>((settle) => {
    resolve = settle;
  });
  const expected = `an end within ${timeoutMs} ms`;
  const timer = setTimeout(() => resolve(new Verdict('unmet', TIMED_OUT, { expected, got: 'none' })), timeoutMs);
  const stop = (): void => resolve(new Verdict('skipped', STOPPED));
  signal?.addEventListener('abort', stop);
  const done = work().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Verdict) return error;
      throw error;
    },
  );
  try {
    return await Promise.race([done, cut]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    done.catch(() => {});
  }
}

function outcomeOf({ level, isLint }: Check, run: AgentRun, verdict: Verdict | undefined): Outcome {
  if (!verdict) return 'pass';
  if (verdict.kind === 'unmet') return level === 'MUST' ? 'fail' : 'warn';
  // What was never heard may only be unheard because the agent would not talk.
  return isLint && verdict.kind === 'not_provoked' && run.needsAuthentication ? 'needs_authentication' : verdict.kind;
}

/** Closes what the check opened for itself, and gives up what it may have left in disorder. */
function tidy(probe: Probe, run: AgentRun, verdict: Verdict | undefined): void {
  const isOwn = run.hearings.some(({ trace, treatment }) => trace === probe.trace && treatment === 'raw');
  if (isOwn) run.close(probe);
  else if (verdict?.message === TIMED_OUT || verdict?.message === STOPPED || probe.wire.isEnded) run.discard(probe);
}

/** The last frames of the check, over all the wires it used. What it looked at may have happened before it began. */
function wireOf(used: ReadonlyMap<Probe, number>): readonly string[] {
  const own = [...used].flatMap(([{ trace }, mark]) => trace.since(mark));
  const frames = own.length > 0 ? own : [...used.keys()].flatMap(({ trace }) => trace.frames.slice(-MAX_WIRE_LINES));
  const lines = frames.slice(-MAX_WIRE_LINES).map((frame) => formatFrame(frame, 'client'));
  return frames.length > MAX_WIRE_LINES ? ['…', ...lines] : lines;
}
