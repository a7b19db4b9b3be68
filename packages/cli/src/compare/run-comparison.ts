import { join } from 'node:path';
import type { PromptContent } from '@parley/client';
import { CliError, EXIT_CODES } from '@parley/host/command-line';
import { shortLine } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { explainError } from '../output/explain-error.ts';
import { createProgress, type Progress } from '../output/progress.ts';
import type { RunOutcome } from '../output/run-outcome.ts';
import type { RunOutput } from '../output/run-output.ts';
import { inFolder, type RunSettings, readRunSettings } from '../run/settings/run-settings.ts';
import { startRun } from '../run/start-run.ts';
import { type CompareRow, toRow } from './compare-row.ts';
import type { Repository } from './worktrees.ts';

export interface Comparison {
  readonly agents: readonly string[];
  readonly prompt: PromptContent;
  readonly flags: SharedFlags;
  /** What holds whichever agent it is. */
  readonly settings: RunSettings;
  /** Each agent gets a worktree of its own. */
  readonly hasWorktrees: boolean;
}

export interface ComparisonResult {
  readonly rows: readonly CompareRow[];
  /** The person stopped it; agents that had not begun have no row. */
  readonly exit: 'interrupted' | 'terminated' | undefined;
}

/** How long one agent may take, unless `--timeout` or the settings say otherwise. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** Puts one prompt to agents, one after the other. Whatever becomes of one is a row; only a wrong command line ends it all. */
export async function runComparison(comparison: Comparison, context: CliContext): Promise<ComparisonResult> {
  const { agents, flags, settings: common, hasWorktrees } = comparison;
  const isSilent = common.output.isQuietAboutProgress || common.output.format === 'json';
  const progress = createProgress(context, { isSilent });
  const found = await readAllSettings(agents, flags, context);
  await using repository = hasWorktrees ? await openRepository(common.session.cwd) : undefined;
  if (repository?.hasUncommitted) progress.say('changes that are not committed are not in the worktrees');
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  using stop = watchStop();
  const rows: CompareRow[] = [];
  for (const [index, settings] of found.entries()) {
    if (stop.exit) break;
    const agent = agents[index] ?? '';
    if (settings instanceof CliError) {
      rows.push(toRow(agent, failed(agent, settings), ''));
      continue;
    }
    progress.say(`${index + 1}/${agents.length} ${shortLine(agent, MAX_NAME_CHARACTERS)}`);
    const patch = join(settings.places.state, 'compare', stamp, `${index + 1}-${fileName(agent)}.patch`);
    const row = await runAgent({ ...comparison, agent, settings, repository, patch, progress }, context);
    rows.push(stop.exit ? { ...row, status: 'cancelled', error: row.error ?? 'Interrupted.' } : row);
  }
  return { rows, exit: stop.exit };
}

const MAX_NAME_CHARACTERS = 60;

async function openRepository(cwd: string): Promise<Repository> {
  const { findRepository } = await import('./worktrees.ts');
  return findRepository(cwd);
}

/** A typo ends it before anything runs. An agent that is known and not installed is a row: the others can be compared. */
async function readAllSettings(
  agents: readonly string[],
  flags: SharedFlags,
  context: CliContext,
): Promise<readonly (RunSettings | CliError)[]> {
  const found: (RunSettings | CliError)[] = [];
  for (const agent of agents) {
    try {
      found.push(await readRunSettings({ ...flags, agent }, context, { isThrowaway: true, isTold: true }));
    } catch (error) {
      if (!(error instanceof CliError && error.code === 'agent_not_installed')) throw error;
      found.push(error);
    }
  }
  return found;
}

interface AgentRun extends Pick<Comparison, 'prompt'> {
  readonly agent: string;
  readonly settings: RunSettings;
  readonly repository: Repository | undefined;
  /** Where the agent's changes go. */
  readonly patch: string;
  readonly progress: Progress;
}

async function runAgent(task: AgentRun, context: CliContext): Promise<CompareRow> {
  const { agent, prompt, repository, patch, progress } = task;
  const startedAt = Date.now();
  let said = '';
  try {
    await using worktree = await repository?.open();
    const timed = { ...task.settings, timeoutMs: task.settings.timeoutMs ?? DEFAULT_TIMEOUT_MS };
    const settings = worktree ? await inFolder(timed, worktree.cwd, context) : timed;
    const output = listen(progress, (text) => {
      said += text;
    });
    await using run = await startRun(settings, context, { output });
    try {
      await using connection = await run.connect();
      await run.prompt(await run.open(connection), prompt);
    } catch (error) {
      run.fail(error);
    }
    return toRow(agent, await run.sumUp(), said, await worktree?.measure(patch));
  } catch (error) {
    return toRow(agent, { ...failed(agent, error), durationMs: Date.now() - startedAt }, said);
  }
}

/** Hears what the agent says, and passes on only what we wait for and what the person should know. */
function listen({ onPhase, onSilence, say }: Progress, onText: (text: string) => void): RunOutput {
  return {
    wantsMessages: false,
    onMessage: () => {},
    onPhase,
    onSilence,
    onNotice: say,
    onSession: () => {},
    onEvent: (event) => event.type === 'text' && onText(event.text),
    onEnd: () => {},
  };
}

/** The outcome of an agent that never got to a prompt. */
function failed(agent: string, error: unknown): RunOutcome {
  const { exit, code, message, next } = explainError(error, { agent });
  return {
    schema: 1,
    exit,
    exitCode: EXIT_CODES[exit].code,
    agent,
    text: '',
    toolCalls: 0,
    failedToolCalls: 0,
    permissions: { asked: 0, allowed: 0, rejected: 0 },
    durationMs: 0,
    error: { code, message, next },
  };
}

/** Signals end the agent that runs; this tells that no other is to begin. */
function watchStop(): Disposable & { readonly exit: ComparisonResult['exit'] } {
  let exit: ComparisonResult['exit'];
  const onInt = (): void => {
    exit ??= 'interrupted';
  };
  const onTerm = (): void => {
    exit ??= 'terminated';
  };
  process.on('SIGINT', onInt).on('SIGTERM', onTerm).on('SIGHUP', onTerm);
  return {
    get exit() {
      return exit;
    },
    [Symbol.dispose]() {
      process.off('SIGINT', onInt).off('SIGTERM', onTerm).off('SIGHUP', onTerm);
    },
  };
}

/** `./my-agent --acp` as part of a file's name. */
function fileName(agent: string): string {
  return (
    agent
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(-MAX_NAME_CHARACTERS)
      .replace(/^[-.]+/, '') || 'agent'
  );
}
