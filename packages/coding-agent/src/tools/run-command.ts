import { setTimeout as sleep } from 'node:timers/promises';
import { commandShell } from '../operations/shell.ts';
import { headOf, shortenOutput } from '../text.ts';
import { type Input, objectSchema, optionalBoolean, optionalInteger, optionalText, requireText } from './input.ts';
import type { RunningCommand } from './operations.ts';
import { failureFrom } from './outcome.ts';
import { resolvePath } from './paths.ts';
import type { Tool, ToolOutcome } from './tool.ts';

interface Args {
  readonly command: string;
  readonly directory: string | undefined;
  readonly timeoutSeconds: number;
  readonly isBackground: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 3600;
const MAX_OUTPUT_BYTES = 256 * 1024;
/** What the model reads of it: the beginning says what ran, the end says how it went. */
const BACKGROUND_LOOK_MS = 1000;
/** A cancelled turn waits this long for the proof that the command is gone; it is killed well before. */
const STOP_PATIENCE_MS = 120;

export const runCommand: Tool<Args> = {
  name: 'run_command',
  kind: 'execute',
  level: 3,
  isCancellable: true,
  description: `Runs a command line with ${commandShell().name} in the working directory and answers with its output and exit code. It has no standard input, so nothing interactive. It is stopped after ${DEFAULT_TIMEOUT_SECONDS} s unless "timeout_seconds" says otherwise. With "background" it goes on running, for servers and watchers.`,
  inputSchema: objectSchema(
    {
      command: { type: 'string', description: 'The command line.' },
      cwd: { type: 'string', description: 'Where to run it. Default: the working directory.' },
      timeout_seconds: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_SECONDS },
      background: { type: 'boolean', description: 'Do not wait for it to end.' },
    },
    ['command'],
  ),
  parse: (input: Input) => ({
    command: requireText(input, 'command'),
    directory: optionalText(input, 'cwd'),
    timeoutSeconds:
      optionalInteger(input, 'timeout_seconds', { min: 1, max: MAX_TIMEOUT_SECONDS }) ?? DEFAULT_TIMEOUT_SECONDS,
    isBackground: optionalBoolean(input, 'background'),
  }),
  describe({ command, directory }, { cwd }) {
    return {
      title: command.length > 120 ? `${headOf(command, 117)}...` : command,
      locations: [{ path: resolvePath(directory ?? '.', cwd) }],
      subject: { type: 'command', command, cwd: resolvePath(directory ?? '.', cwd) },
      undo: 'What a command does is not undone by /undo; look at it with git status.',
    };
  },
  async run({ args, cwd, operations, signal, show }) {
    const { command, directory, timeoutSeconds, isBackground } = args;
    try {
      const running = await operations.commands.start({
        command,
        cwd: resolvePath(directory ?? '.', cwd),
        maxOutputBytes: MAX_OUTPUT_BYTES,
        isBackground,
        onOutput: (text) => show({ text }),
        signal,
      });
      if (running.terminalId !== undefined) show({ terminal: { id: running.terminalId } });
      return isBackground ? await look(running, signal) : await waitFor(running, timeoutSeconds, signal);
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

async function look(running: RunningCommand, signal: AbortSignal): Promise<ToolOutcome> {
  const ended = await firstOf(running.exit, BACKGROUND_LOOK_MS, signal);
  const { text } = await running.output();
  if (ended) return describeExit(ended, text, false);
  return {
    text: `It runs in the background until the session ends. Output so far:\n${shortenOutput(text) || '(none)'}`,
    rawOutput: { isRunning: true, output: shortenOutput(text) },
  };
}

async function waitFor(running: RunningCommand, timeoutSeconds: number, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    const ended = await firstOf(running.exit, timeoutSeconds * 1000, signal);
    const { text, isTruncated } = await running.output();
    await running.stop();
    if (ended) return describeExit(ended, text, isTruncated);
    return {
      text: `Stopped after ${timeoutSeconds} s. Output:\n${shortenOutput(text)}`,
      isError: true,
      rawOutput: { exitCode: null, signal: null, isTimedOut: true, output: shortenOutput(text) },
    };
  } catch (error) {
    await Promise.race([running.stop(), sleep(STOP_PATIENCE_MS)]);
    throw error;
  }
}

/** How it ended, or undefined when it runs on after this time. Throws when the turn is cancelled. */
async function firstOf(exit: RunningCommand['exit'], limitMs: number, signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  try {
    return await Promise.race([
      exit,
      new Promise<undefined>((resolve, reject) => {
        timer = setTimeout(resolve, limitMs, undefined);
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
      }),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function describeExit(
  { exitCode, signal }: { exitCode: number | null; signal: string | null },
  output: string,
  isTruncated: boolean,
): ToolOutcome {
  const how = signal ? `ended by ${signal}` : `exit code ${exitCode}`;
  const shown = shortenOutput(output);
  return {
    text: `${shown === '' ? '(no output)' : shown}\n(${how}${isTruncated ? '; the beginning of the output is lost' : ''})`,
    isError: exitCode !== 0,
    rawOutput: { exitCode, signal, output: shown },
  };
}
