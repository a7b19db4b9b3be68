import { quoteWords } from '@parley/host/terminal';
import { factsOf } from '../../check.ts';
import { asRequest, fieldsOf } from '../../messages/message.ts';
import { formatFrame } from '../../messages/trace.ts';
import type { CheckResult, Report } from '../../report/report.ts';
import type { Progress } from '../../run/progress.ts';
import { STOPPED } from '../../run/progress.ts';
import { type Round, reportRounds } from '../../run/report-rounds.ts';
import { selectChecks } from '../../run/select-checks.ts';
import { createWorkspace } from '../../run/workspace.ts';
import { Verdict } from '../../verdict.ts';
import type { Protocol } from '../../versions/protocol.ts';
import { wordsOf } from '../../versions/words.ts';
import type { ClientCheck } from '../client-check.ts';
import { clientChecks } from '../client-checks.ts';
import type { ClientTarget } from '../client-target.ts';
import type { ClientRun } from './client-run.ts';
import { locateScriptedAgent } from './locate-scripted-agent.ts';
import { runScenario } from './run-scenario.ts';
import { runScenarioInMemory } from './run-scenario-in-memory.ts';

export interface RunClientChecksOptions {
  /** The version that the agents speak which the client is given. Default: 1. */
  readonly protocol?: Protocol;
  readonly only?: readonly string[];
  readonly repeat?: number;
  /** How long the client may take for one scenario. Default: 20 s. */
  readonly timeoutMs?: number;
  /** How long the scripted agent waits for an answer in memory. Default: 4 s. */
  readonly answerMs?: number;
  /** How the scripted agent is started. Default: the one that belongs to this package. */
  readonly agentArgv?: readonly string[];
  readonly command?: string;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Scenarios that are played at the same time. */
const CONCURRENCY = 2;

/** Checks a client against the specification, by giving it agents that behave in many ways. */
export async function runClientChecks(target: ClientTarget, options: RunClientChecksOptions = {}): Promise<Report> {
  const { repeat = 1, protocol = 1, onProgress } = options;
  const selected = selectChecks(clientChecks(protocol), options.only ?? []);
  onProgress?.({ kind: 'start', total: selected.length * repeat });
  return reportRounds({
    role: 'client',
    target: labelOf(target),
    protocol,
    repeat,
    runRound: () => runRound(target, selected, options),
  });
}

async function runRound(
  target: ClientTarget,
  selected: readonly ClientCheck[],
  options: RunClientChecksOptions,
): Promise<Round> {
  const { onProgress, protocol = 1, command = 'parley check --client' } = options;
  // Rules about everything need at least something.
  const names = [...new Set(selected.map(({ scenario = 'plain' }) => scenario))];
  const { runs, tookMs } = await playAll(target, names, options);
  const results = selected.map((check, index) => {
    const result = judge(check, runs, {
      repro: `${command} --only ${check.id} -- ${labelOf(target)}`,
      durationMs: tookMs.get(check.scenario ?? '') ?? 0,
      isStopped: options.signal?.aborted === true,
      protocol,
    });
    onProgress?.({ kind: 'result', result, index: index + 1, total: selected.length });
    return result;
  });
  return { info: infoOf(runs, protocol), results };
}

interface Played {
  readonly runs: readonly ClientRun[];
  readonly tookMs: ReadonlyMap<string, number>;
}

async function playAll(
  target: ClientTarget,
  names: readonly string[],
  options: RunClientChecksOptions,
): Promise<Played> {
  await using workspace = await createWorkspace();
  const runs: ClientRun[] = [];
  const tookMs = new Map<string, number>();
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined && !options.signal?.aborted; name = waiting.shift()) {
      const index = names.length - waiting.length;
      options.onProgress?.({ kind: 'check', id: name, says: 'scenario', index, total: names.length });
      const startedAt = performance.now();
      runs.push(await play(target, name, { ...options, cwd: workspace.cwd, helperDir: workspace.helperDir }));
      tookMs.set(name, Math.round(performance.now() - startedAt));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { runs, tookMs };
}

interface PlayOptions extends RunClientChecksOptions {
  readonly cwd: string;
  readonly helperDir: string;
}

function play(target: ClientTarget, name: string, options: PlayOptions): Promise<ClientRun> {
  const { timeoutMs = 20_000, answerMs = 4000, cwd, helperDir, agentArgv = locateScriptedAgent(), signal } = options;
  const { protocol = 1 } = options;
  if (target.kind === 'connect') {
    return runScenarioInMemory(name, { connect: target.connect, protocol, cwd, timeoutMs, answerMs });
  }
  const { argv, input } = target;
  return runScenario(name, {
    argv,
    protocol,
    cwd,
    helperDir,
    agentArgv,
    timeoutMs,
    signal,
    ...(input === undefined ? {} : { input }),
  });
}

interface JudgeOptions {
  readonly repro: string;
  readonly durationMs: number;
  readonly isStopped: boolean;
  readonly protocol: Protocol;
}

function judge(
  check: ClientCheck,
  runs: readonly ClientRun[],
  { repro, durationMs, isStopped, protocol }: JudgeOptions,
): CheckResult {
  const facts = { ...factsOf(check, protocol), durationMs, repro };
  if (isStopped) return { ...facts, outcome: 'skipped', reason: STOPPED };
  try {
    check.judge(runs);
    return { ...facts, outcome: 'pass' };
  } catch (error) {
    if (!(error instanceof Verdict)) throw error;
    const { kind, message, expected, got, wire } = error;
    const shown = wire ?? wireOf(runs.find(({ scenario }) => scenario === check.scenario));
    return {
      ...facts,
      outcome: kind === 'unmet' ? (check.level === 'MUST' ? 'fail' : 'warn') : kind,
      reason: message,
      ...(expected === undefined ? {} : { expected }),
      ...(got === undefined ? {} : { got }),
      ...(kind === 'unmet' ? { wire: shown } : {}),
    };
  }
}

const MAX_WIRE_LINES = 14;

function wireOf(run: ClientRun | undefined): readonly string[] {
  return (run?.frames ?? []).slice(-MAX_WIRE_LINES).map((frame) => formatFrame(frame, 'agent'));
}

function infoOf(runs: readonly ClientRun[], protocol: Protocol): { readonly name?: string; readonly version?: string } {
  for (const { frames } of runs) {
    for (const frame of frames) {
      const request = frame.from === 'client' ? asRequest(frame) : undefined;
      const { name, version } = fieldsOf(fieldsOf(request?.params)[wordsOf(protocol).clientInfo]);
      if (typeof name === 'string') return { name, ...(typeof version === 'string' ? { version } : {}) };
    }
  }
  return {};
}

function labelOf(target: ClientTarget): string {
  return target.kind === 'connect' ? target.label : quoteWords(target.argv);
}
