import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError, type CommandContext, exitCode, usageError, watchInterruption } from '@parley/host/command-line';
import { reapInBackground } from '@parley/host/process';
import { shellLine } from '@parley/host/terminal';
import type { Command } from 'commander';
import type { CaptureResult } from '../../formats/capture-result.ts';
import { type LineWriter, openLineWriter } from '../../formats/line-writer.ts';
import type { PromptCase } from '../../formats/prompt-case.ts';
import type { TrialResult } from '../../formats/trial-result.ts';
import { loadGrader } from '../../graders/load-grader.ts';
import { JunitReport } from '../../junit/junit-report.ts';
import { readDoneIds } from '../../runs/done-ids.ts';
import { readCases } from '../../runs/read-cases.ts';
import type { RunOptions } from '../../runs/run-options.ts';
import { type EvalContext, graderOptions } from '../eval-context.ts';
import { explainHarness } from '../pipeline/stage.ts';
import { createEvalProgress, type EvalProgress } from './eval-progress.ts';
import { type EvalFlags, type EvalSettings, readEvalSettings } from './run-flags.ts';
import { Tally } from './tally.ts';

/** One of the two ways to put cases to an agent. */
export interface EvalKind<Result extends CaptureResult | TrialResult> {
  readonly name: 'capture' | 'trials';
  /** Attempts at one case. */
  readonly attemptsPerCase: number;
  /** Begins; `onAttempt` is to be called for every attempt that is done. */
  run(
    options: RunOptions,
    onAttempt: (task: Pick<PromptCase, 'id'>, attempt: DoneAttempt) => void,
  ): AsyncIterable<Result>;
}

export interface DoneAttempt extends Pick<CaptureResult, 'failure' | 'errors' | 'graderError'> {
  readonly pass: boolean | undefined;
  readonly reasoning?: string | undefined;
  readonly ms: number;
}

export interface EvalRequest {
  readonly cases: string;
  /** What stood after `--`. */
  readonly words: readonly string[];
  readonly command: Command;
  readonly flags: EvalFlags;
}

/** Runs cases, writes results as they come, tells how far it is, and gives the exit code. */
export async function runEval<Result extends CaptureResult | TrialResult>(
  kind: EvalKind<Result>,
  request: EvalRequest,
  context: EvalContext,
): Promise<number> {
  const { cases, words, command, flags } = request;
  const notices: string[] = [];
  let say = (text: string): void => void notices.push(text);
  const agent = await context.openAgent(command, words, (text) => say(text));
  const { cwd } = agent;
  const chosen = readEvalSettings(flags, cwd, context.cwd);
  const source = cases === '-' ? context.stdin : resolve(context.cwd, cases);
  using interruption = watchInterruption(context, { onInterrupt: (text) => say(text) });
  await using _reaping = reapInBackground();
  await using grader =
    flags.grader === undefined
      ? undefined
      : await loadGrader(flags.grader, {
          ...graderOptions(context),
          timeoutMs: chosen.graderTimeoutMs,
          onLog: (text) => agent.isVerbose && context.stderr.write(text),
        }).catch((error: unknown) => {
          throw explainHarness(error);
        });
  const skip = flags.resume ? await idsIn(flags.output ?? '-', context) : new Set<string>();
  const count = await countCases(cases === '-' ? undefined : String(source), skip);
  const tally = new Tally();
  const total = count === undefined ? undefined : count * kind.attemptsPerCase;
  using progress = createEvalProgress(context, { tally, total, isSilent: flags.progress === false });
  say = progress.say;
  for (const notice of notices) say(notice);
  if (skip.size > 0) say(`${skip.size} cases are done already and are skipped`);
  const junit =
    flags.junit === undefined ? undefined : new JunitReport(`parley eval ${kind.name}`, junitOptions(chosen));
  await using writer = await openOutput(flags, chosen, context, progress);
  const run = kind.run(
    {
      ...agent.options,
      cases: cases === '-' ? readCasesFrom(context) : String(source),
      cwd,
      workspace: chosen.workspace,
      concurrency: chosen.concurrency,
      isInOrder: flags.inOrder === true,
      skip,
      ...(agent.timeoutMs !== undefined && { timeoutMs: agent.timeoutMs }),
      ...(grader && { grader }),
      signal: interruption.signal,
    },
    ({ id }, { failure, errors, graderError, pass, reasoning, ms }) => {
      const facts = {
        ...(failure !== undefined && { failure }),
        ...(graderError !== undefined && { graderError }),
        pass,
      };
      const verdict = tally.add(facts);
      progress.onAttempt({ name: id, verdict, ms, because: errors?.join(' ') ?? graderError ?? reasoning });
    },
  );
  try {
    for await (const result of run) {
      await writer.write(result);
      junit?.add(result);
    }
  } catch (error) {
    if (!interruption.signal.aborted) throw explainHarness(error);
  }
  await writer.close();
  progress[Symbol.dispose]();
  if (junit && flags.junit !== undefined) await writeReport(resolve(context.cwd, flags.junit), junit);
  if (flags.progress !== false) context.stderr.write(`${kind.name}: ${tally.describe()}\n`);
  if (interruption.exit !== undefined) {
    tellResume(kind.name, request, context);
    return exitCode(interruption.exit, agent.exitCodes);
  }
  return exitCode(hasFailed(tally, chosen) ? 'failed' : 'ok', agent.exitCodes);
}

/** With `--fail-under` the share that passes decides, and a grader that fails; otherwise whatever did not come to its end. */
function hasFailed(tally: Tally, { failUnder }: EvalSettings): boolean {
  if (failUnder === undefined) return tally.errors > 0;
  return (tally.passRate ?? 0) < failUnder || tally.ungraded > 0;
}

function junitOptions({ failUnder }: EvalSettings): { readonly passRate?: number } {
  return failUnder === undefined ? {} : { passRate: failUnder };
}

async function idsIn(path: string, context: CommandContext): ReturnType<typeof readDoneIds> {
  try {
    return await readDoneIds(resolve(context.cwd, path));
  } catch (error) {
    // Nothing is done yet: the run begins.
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return new Set();
    throw explainHarness(error);
  }
}

/** Reads all cases of a file before anything runs: what is wrong with one is told before it costs anything. */
async function countCases(path: string | undefined, skip: RunOptions['skip']): Promise<number | undefined> {
  if (path === undefined) return undefined;
  try {
    let count = 0;
    for await (const _ of readCases(path, { skip })) count += 1;
    return count;
  } catch (error) {
    throw explainHarness(error);
  }
}

async function* readCasesFrom({ stdin }: CommandContext): AsyncGenerator<PromptCase, void, undefined> {
  yield* readCases('-', { stdin });
}

async function openOutput(
  { output = '-' }: EvalFlags,
  { mode }: EvalSettings,
  context: CommandContext,
  progress: EvalProgress,
): Promise<LineWriter> {
  const path = output === '-' ? '-' : resolve(context.cwd, output);
  try {
    return await openLineWriter(path, { mode, stdout: context.stdout, onRepair: progress.say });
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EEXIST') {
      throw usageError(
        `${output} exists; nothing was run.`,
        '--resume   (go on with it)',
        '--append   (add to it)',
        '--force   (replace it)',
      );
    }
    throw explainHarness(error);
  }
}

async function writeReport(path: string, junit: JunitReport): Promise<void> {
  await writeFile(path, junit.toString()).catch((cause: Error) => {
    throw new CliError('output_failed', `Cannot write ${path}: ${cause.message}`, { cause });
  });
}

function tellResume(name: string, { cases, words, flags }: EvalRequest, { stderr }: CommandContext): void {
  if (flags.output === undefined || flags.output === '-') return;
  const agent = words.length > 0 ? ` -- ${words.map((word) => shellLine`${word}`).join(' ')}` : '';
  stderr.write(
    `stopped; go on with the same flags and --resume:\n  parley eval ${name} ${shellLine`${cases}`} -o ${shellLine`${flags.output}`} --resume ...${agent}\n`,
  );
}
