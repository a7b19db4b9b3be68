import { commandFor, type Description, recordCommand, replayLines } from '@parley/adapters';
import { HarnessError } from '../errors.ts';
import type { RawResult } from '../formats/pipeline.ts';
import type { PromptCase } from '../formats/prompt-case.ts';
import { mapBounded } from '../runs/map-bounded.ts';
import { readCases } from '../runs/read-cases.ts';
import { DEFAULT_ATTEMPT_TIMEOUT_MS } from '../runs/run-options.ts';
import { outputOf } from './extract.ts';

/** How a command is called for a prompt. */
export type CommandPlan =
  /** As the description of a command-line agent says. */
  | { readonly kind: 'schema'; readonly description: Description }
  /** Words, in which `{}` stands for the prompt; without it the prompt is the last word. */
  | { readonly kind: 'simple'; readonly words: readonly string[] }
  /** A line for the shell, which finds the prompt in `$PROMPT`. */
  | { readonly kind: 'shell'; readonly line: string };

export interface RawRunOptions {
  readonly cases: string | AsyncIterable<PromptCase> | Iterable<PromptCase>;
  readonly plan: CommandPlan;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the description's, else 5 minutes. */
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly isInOrder?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs a command for each case, and keeps every line that it writes. */
export async function* runRaw(options: RawRunOptions): AsyncGenerator<RawResult, void, undefined> {
  const { cases, concurrency = 1, isInOrder = false, signal } = options;
  yield* mapBounded(readCases(cases), (task, stop) => runCase(task, options, stop), {
    concurrency,
    isInOrder,
    ...(signal && { signal }),
  });
}

/** Most of stderr that is kept. */
const MAX_STDERR_CHARACTERS = 16 * 1024;

async function runCase(task: PromptCase, options: RawRunOptions, stop: AbortSignal): Promise<RawResult> {
  const { plan, cwd, env = process.env } = options;
  const { id, input, hint, reference, metadata } = task;
  const byPlan = plan.kind === 'schema' ? plan.description.timeout : undefined;
  const timeoutMs = task.timeout ?? options.timeoutMs ?? byPlan ?? DEFAULT_ATTEMPT_TIMEOUT_MS;
  const deadline = AbortSignal.timeout(timeoutMs);
  const start = Date.now();
  const rawLines: string[] = [];
  const lineTimes: number[] = [];
  let stderr = '';
  let end: Pick<RawResult, 'error' | 'exitCode' | 'signal' | 'timedOut'> = {};
  const past: { input: string; output: string }[] = [];
  for (const prompt of [input].flat()) {
    const from = rawLines.length;
    const sessionId = sessionOf(plan, rawLines);
    end = await runOnce({ ...startOf(plan, { prompt, cwd, past, sessionId }), cwd, env, prompt });
    if (end.error !== undefined) break;
    past.push({ input: prompt, output: outputOf(rawLines.slice(from), descriptionOf(plan)) });
  }
  stop.throwIfAborted();
  return {
    id,
    input,
    ...(hint !== undefined && { hint }),
    ...(reference !== undefined && { reference }),
    ...(metadata && { metadata }),
    rawLines,
    lineTimes,
    timing: { start, end: Date.now(), total: Date.now() - start },
    ...end,
    ...(stderr !== '' && { stderr }),
    cwd,
  };

  async function runOnce(command: RunOnce): Promise<typeof end> {
    try {
      const { exit } = await recordCommand({
        ...command,
        env: { ...command.env, PROMPT: command.prompt },
        onLine: ({ line }) => {
          rawLines.push(line);
          lineTimes.push(Date.now() - start);
        },
        onStderr: (text) => {
          stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS);
        },
        signal: AbortSignal.any([stop, deadline]),
      });
      if (deadline.aborted) return { error: `Timed out after ${timeoutMs} ms.`, timedOut: true };
      const { code, signal } = exit;
      if (code === 0) return { exitCode: 0 };
      return code === null
        ? { error: `The command was ended by ${signal}.`, ...(signal !== null && { signal }) }
        : { error: `The command exited with code ${code}.`, exitCode: code };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}

interface RunOnce {
  readonly argv: readonly string[];
  readonly input?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
}

interface Turn {
  readonly prompt: string;
  readonly cwd: string;
  readonly past: readonly { readonly input: string; readonly output: string }[];
  readonly sessionId: string | undefined;
}

function startOf(plan: CommandPlan, turn: Turn): Pick<RunOnce, 'argv' | 'input'> {
  const { prompt } = turn;
  switch (plan.kind) {
    case 'schema':
      return commandFor(plan.description, turn);
    case 'simple': {
      const { words } = plan;
      if (words.length === 0) throw new HarnessError('options_invalid', 'There is no command to run.');
      const hasPlace = words.some((word) => word.includes('{}'));
      // A function, since a text may hold what `replaceAll` takes for a pattern.
      return { argv: hasPlace ? words.map((word) => word.replaceAll('{}', () => prompt)) : [...words, prompt] };
    }
    case 'shell':
      return { argv: process.platform === 'win32' ? ['cmd', '/c', plan.line] : ['sh', '-c', plan.line] };
  }
}

function descriptionOf(plan: CommandPlan): Description | undefined {
  return plan.kind === 'schema' ? plan.description : undefined;
}

/** The command's own id of the session that it has begun. */
function sessionOf(plan: CommandPlan, lines: readonly string[]): string | undefined {
  if (plan.kind !== 'schema' || lines.length === 0 || !plan.description.resume) return undefined;
  return replayLines(plan.description, lines).sessionId;
}
