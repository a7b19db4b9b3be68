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
const MAX_SHOWN_CHARACTERS = 30_000;
const BACKGROUND_LOOK_MS = 1000;

export const runCommand: Tool<Args> = {
  name: 'run_command',
  kind: 'execute',
  level: 3,
  description: `Runs a shell command in the working directory and answers with its output and exit code. It has no standard input, so nothing interactive. It is stopped after ${DEFAULT_TIMEOUT_SECONDS} s unless "timeout_seconds" says otherwise. With "background" it goes on running, for servers and watchers.`,
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
      title: command.length > 120 ? `${command.slice(0, 117)}...` : command,
      subject: { type: 'command', command, cwd: resolvePath(directory ?? '.', cwd) },
    };
  },
  async run({ args, cwd, operations, signal, show }) {
    const { command, directory, timeoutSeconds, isBackground } = args;
    try {
      const running = await operations.commands.start({
        command,
        cwd: resolvePath(directory ?? '.', cwd),
        maxOutputBytes: MAX_OUTPUT_BYTES,
        onOutput: (text) => show({ text }),
        signal,
      });
      if (running.terminalId !== undefined) show({ terminal: { id: running.terminalId } });
      return isBackground ? await look(running) : await waitFor(running, timeoutSeconds, signal);
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

async function look(running: RunningCommand): Promise<ToolOutcome> {
  const ended = await Promise.race([running.exit, delay(BACKGROUND_LOOK_MS)]);
  const { text } = await running.output();
  if (ended) return describeExit(ended, text, false);
  return { text: `It runs in the background until the session ends. Output so far:\n${shorten(text) || '(none)'}` };
}

async function waitFor(running: RunningCommand, timeoutSeconds: number, signal: AbortSignal): Promise<ToolOutcome> {
  const timer = delay(timeoutSeconds * 1000);
  const aborted = new Promise<'aborted'>((resolve) =>
    signal.addEventListener('abort', () => resolve('aborted'), { once: true }),
  );
  try {
    const ended = await Promise.race([running.exit, timer, aborted]);
    if (ended === 'aborted') signal.throwIfAborted();
    const isLate = ended === undefined;
    if (isLate) await running.stop();
    const { text, isTruncated } = await running.output();
    if (isLate || ended === 'aborted') {
      return { text: `Stopped after ${timeoutSeconds} s. Output:\n${shorten(text)}`, isError: true };
    }
    return describeExit(ended, text, isTruncated);
  } finally {
    timer.cancel();
    await running.stop();
  }
}

function describeExit(
  { exitCode, signal }: { exitCode: number | null; signal: string | null },
  output: string,
  isTruncated: boolean,
): ToolOutcome {
  const how = signal ? `ended by ${signal}` : `exit code ${exitCode}`;
  const shown = shorten(output);
  return {
    text: `${shown === '' ? '(no output)' : shown}\n(${how}${isTruncated ? '; the beginning of the output is lost' : ''})`,
    isError: exitCode !== 0,
    rawOutput: { exitCode, signal, output: shown },
  };
}

function shorten(text: string): string {
  if (text.length <= MAX_SHOWN_CHARACTERS) return text.trimEnd();
  const half = MAX_SHOWN_CHARACTERS / 2;
  const left = text.length - MAX_SHOWN_CHARACTERS;
  return `${text.slice(0, half)}\n[... ${left} characters left out ...]\n${text.slice(-half).trimEnd()}`;
}

function delay(milliseconds: number): Promise<undefined> & { cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  return Object.assign(waiting, { cancel: () => clearTimeout(timer) });
}
