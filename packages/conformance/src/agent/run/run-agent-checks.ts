import { hasCapability } from '@parley/protocol';
import { factsOf } from '../../check.ts';
import { type CheckLimits, DEFAULT_CHECK_LIMITS } from '../../limits.ts';
import type { CheckResult, Report } from '../../report/report.ts';
import type { Progress } from '../../run/progress.ts';
import { STOPPED } from '../../run/progress.ts';
import { type Round, reportRounds } from '../../run/report-rounds.ts';
import { selectChecks } from '../../run/select-checks.ts';
import { createWorkspace } from '../../run/workspace.ts';
import { notApplicable, Verdict } from '../../verdict.ts';
import type { Protocol } from '../../versions/protocol.ts';
import type { Check } from '../agent-check.ts';
import { agentChecks } from '../agent-checks.ts';
import { describeTarget, type Target } from '../agent-target.ts';
import { AgentRun } from './agent-run.ts';
import { createContext } from './check-context.ts';
import { findProtocol } from './find-protocol.ts';
import { DEFAULT_PROMPTS, type Prompts } from './prompts.ts';
import { runCheck } from './run-check.ts';

export interface RunChecksOptions {
  /** The version that is checked; `auto` is the highest that the agent speaks. Default: 1. */
  readonly protocol?: Protocol | 'auto';
  /** Ids or groups: `PROMPT-07`, `PROMPT`, `cancellation`. Default: everything. */
  readonly only?: readonly string[];
  /** How often everything is run, to find what differs. Default: 1. */
  readonly repeat?: number;
  readonly limits?: CheckLimits;
  readonly prompts?: Partial<Prompts>;
  /** Called with this method after every `initialize`. */
  readonly authMethod?: string;
  /** Whether `logout` may be tried. Default: false. */
  readonly allowLogout?: boolean;
  /** How a person runs this again, before the `--only`. Default: `parley check`. */
  readonly command?: string;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Checks an agent against the specification. Throws only when the agent cannot be reached at all. */
export async function runChecks(target: Target, options: RunChecksOptions = {}): Promise<Report> {
  const { repeat = 1, protocol: wanted = 1, onProgress } = options;
  const protocol = wanted === 'auto' ? await findProtocol(target, options.limits) : wanted;
  const selected = selectChecks(agentChecks(protocol), options.only ?? []);
  const total = repeat * selected.length;
  onProgress?.({ kind: 'start', total });
  return reportRounds({
    role: 'agent',
    target: describeTarget(target),
    protocol,
    repeat,
    runRound: (round) => runRound(target, { ...options, protocol, selected, done: round * selected.length, total }),
  });
}

interface RoundOptions extends RunChecksOptions {
  readonly protocol: Protocol;
  readonly selected: readonly Check[];
  readonly done: number;
  readonly total: number;
}

async function runRound(target: Target, options: RoundOptions): Promise<Round> {
  const { limits = DEFAULT_CHECK_LIMITS, prompts, authMethod, allowLogout, selected, onProgress, signal } = options;
  await using workspace = await createWorkspace();
  const run = new AgentRun({
    target,
    protocol: options.protocol,
    limits,
    prompts: { ...DEFAULT_PROMPTS, ...prompts },
    workspace,
    ...(authMethod === undefined ? {} : { authMethod }),
    ...(allowLogout === undefined ? {} : { allowLogout }),
  });
  try {
    const facts = await settleFacts(run);
    const results = new Map<string, CheckResult>();
    // What judges the whole run comes last; the report has its own order.
    const ordered = [...selected.filter(({ isLint }) => !isLint), ...selected.filter(({ isLint }) => isLint)];
    for (const check of ordered) {
      const index = options.done + results.size + 1;
      onProgress?.({ kind: 'check', id: check.id, says: check.says, index, total: options.total });
      const result = signal?.aborted
        ? skipped(check, STOPPED, { protocol: options.protocol, repro: reproduce(check.id, run, options) })
        : await judge(check, run, { facts, options });
      results.set(check.id, result);
      onProgress?.({ kind: 'result', result, index, total: options.total });
    }
    const { name, version } = facts.value?.agentInfo ?? {};
    return {
      info: { ...(name !== undefined && { name }), ...(version !== undefined && { version }) },
      results: selected.flatMap(({ id }) => results.get(id) ?? []),
    };
  } finally {
    await run.closeAll();
  }
}

type Facts = Awaited<ReturnType<typeof settleFacts>>;

/** The facts, or the verdict that there are none. Other errors mean that there is nobody to talk to. */
async function settleFacts(
  run: AgentRun,
): Promise<{ value?: Awaited<ReturnType<AgentRun['facts']>>; verdict?: Verdict }> {
  try {
    return { value: await run.facts() };
  } catch (error) {
    if (error instanceof Verdict) return { verdict: error };
    throw error;
  }
}

interface Judging {
  readonly facts: Facts;
  readonly options: RoundOptions;
}

async function judge(check: Check, run: AgentRun, { facts, options }: Judging): Promise<CheckResult> {
  const reproOf = (ids: string): string => reproduce(ids, run, options);
  if (facts.value === undefined && !check.isFirst)
    return skipped(check, facts.verdict?.message ?? '', { protocol: options.protocol, repro: reproOf(check.id) });
  const context = createContext(run, facts.value ?? { protocolVersion: 0 });
  const { needs } = check;
  return runCheck(check, run, {
    reproOf,
    signal: options.signal,
    work: async () => {
      const agentCapabilities = context.facts.agentCapabilities ?? {};
      if (needs !== undefined && !hasCapability({ agentCapabilities }, needs))
        notApplicable(`${needs} is not advertised.`);
      await check.run(context);
    },
  });
}

interface Skipping {
  readonly protocol: Protocol;
  readonly repro: string;
}

function skipped(check: Check, reason: string, { protocol, repro }: Skipping): CheckResult {
  return { ...factsOf(check, protocol), outcome: 'skipped', reason, durationMs: 0, repro };
}

function reproduce(ids: string, run: AgentRun, { command = 'parley check' }: RunChecksOptions): string {
  return `${command} --only ${ids} -- ${describeTarget(run.options.target)}`;
}
