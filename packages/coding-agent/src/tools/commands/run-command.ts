import { setTimeout as sleep } from 'node:timers/promises';
import { headOf } from '@parley/models/model';
import type { CommandExit, KeptOutput, Operations, RunningCommand } from '../../operations/operations.ts';
import { commandShell } from '../../operations/shell.ts';
import { type Input, objectSchema, optionalBoolean, optionalInteger, optionalText, requireText } from '../input.ts';
import { failureFrom } from '../outcome.ts';
import { resolvePath } from '../paths.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import { plainOutput } from './plain-output.ts';
import { sandboxHint } from './sandbox-hint.ts';
import { tellExit } from './tell-exit.ts';
import { exitWithin } from './wait-for-exit.ts';

interface Args {
  readonly command: string;
  readonly directory: string | undefined;
  readonly timeoutSeconds: number;
  readonly isBackground: boolean;
  /** It is to run without the sandbox, which is put to the user. */
  readonly isOutside: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_SECONDS = 3600;
/** What a terminal of the client keeps, of which the rest cannot be asked for. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_LINE_CHARACTERS = 200;
const BACKGROUND_LOOK_MS = 1000;
const OUTSIDE_NOTICE =
  'The agent asks to run this command without the sandbox: it could change files, use the network and read credentials.';
/** A cancelled turn waits this long for the proof that the command is gone; it is killed well before. */
const STOP_PATIENCE_MS = 120;

export const runCommand: Tool<Args> = {
  name: 'run_command',
  kind: 'execute',
  level: 3,
  isCancellable: true,
  description: `Runs a command line with ${commandShell().name} in the working directory and answers with its output and exit code. It has no standard input, so nothing interactive. It is stopped after ${DEFAULT_TIMEOUT_SECONDS} s unless "timeout_seconds" says otherwise. With "background" it goes on running, for servers, watchers and long work: command_output looks at it or waits for it, stop_command ends it.`,
  inputSchema: objectSchema(
    {
      command: { type: 'string', description: 'The command line.' },
      cwd: { type: 'string', description: 'Where to run it. Default: the working directory.' },
      timeout_seconds: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_SECONDS },
      background: { type: 'boolean', description: 'Do not wait for it to end.' },
      outside_sandbox: {
        type: 'boolean',
        description:
          'Run it without the sandbox. The user is asked each time; use it only after the sandbox made the command fail.',
      },
    },
    ['command'],
  ),
  parse: (input: Input) => ({
    command: requireText(input, 'command'),
    directory: optionalText(input, 'cwd'),
    timeoutSeconds:
      optionalInteger(input, 'timeout_seconds', { min: 1, max: MAX_TIMEOUT_SECONDS }) ?? DEFAULT_TIMEOUT_SECONDS,
    isBackground: optionalBoolean(input, 'background'),
    isOutside: optionalBoolean(input, 'outside_sandbox'),
  }),
  describe({ command, directory, isOutside }, { cwd }) {
    const line = isOutside ? `Outside the sandbox: ${command}` : command;
    return {
      title: line.length > 120 ? `${headOf(line, 117)}...` : line,
      ...(isOutside && { text: OUTSIDE_NOTICE }),
      locations: [{ path: resolvePath(directory ?? '.', cwd) }],
      subject: { type: 'command', command, cwd: resolvePath(directory ?? '.', cwd) },
      undo: 'What a command does is not undone by /undo; look at it with git status.',
    };
  },
  async run({ args, cwd, operations, signal, show }) {
    const { command, directory, timeoutSeconds, isBackground } = args;
    const output = operations.outputs.open();
    const plain = plainOutput();
    try {
      const running = await operations.commands.start({
        command,
        cwd: resolvePath(directory ?? '.', cwd),
        maxOutputBytes: MAX_OUTPUT_BYTES,
        isBackground,
        onOutput(text) {
          const words = plain(text);
          output.append(words);
          show({ text: words });
        },
        signal,
      });
      if (running.terminalId !== undefined) show({ terminal: { id: running.terminalId } });
      if (isBackground) return await look(command, { running, output, signal, operations });
      return await waitFor({ running, output, signal }, timeoutSeconds);
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

interface Run {
  readonly running: RunningCommand;
  readonly output: KeptOutput;
  readonly signal: AbortSignal;
}

async function look(command: string, { running, output, signal, operations }: Run & { operations: Operations }) {
  const ended = await exitWithin(running.exit, BACKGROUND_LOOK_MS, signal);
  if (ended) return describeExit(ended, { running, output, isTruncated: false });
  const line = headOf(command, MAX_LINE_CHARACTERS);
  const id = operations.background.add({ line, output, exited: running.exit, stop: () => running.stop() });
  const text = await output.takeNew();
  return {
    text: `It runs in the background as ${id}, until the session ends. Output so far:\n${text || '(none)'}`,
    rawOutput: { isRunning: true, id, output: text },
  };
}

async function waitFor({ running, output, signal }: Run, timeoutSeconds: number): Promise<ToolOutcome> {
  try {
    const ended = await exitWithin(running.exit, timeoutSeconds * 1000, signal);
    const isTruncated = await takeFromTerminal(running, output);
    await running.stop();
    if (ended) return await describeExit(ended, { running, output, isTruncated });
    const { text } = await output.end();
    return {
      text: `Stopped after ${timeoutSeconds} s. Output:\n${text}`,
      isError: true,
      rawOutput: { exitCode: null, signal: null, isTimedOut: true, output: text },
    };
  } catch (error) {
    await Promise.race([running.stop(), sleep(STOP_PATIENCE_MS)]);
    throw error;
  }
}

/** What a client's terminal shows is not told as it comes. Returns whether some of it is lost. */
async function takeFromTerminal(running: RunningCommand, output: KeptOutput): Promise<boolean> {
  if (running.terminalId === undefined) return false;
  const { text, isTruncated } = await running.output();
  output.append(plainOutput()(text));
  return isTruncated;
}

interface Ended extends Pick<Run, 'running' | 'output'> {
  readonly isTruncated: boolean;
}

async function describeExit(exit: CommandExit, { running, output, isTruncated }: Ended): Promise<ToolOutcome> {
  const { text } = await output.end();
  const how = `${tellExit(exit)}${isTruncated ? '; the beginning of the output is lost' : ''}`;
  const hint = sandboxHint(running.sandbox, exit, text);
  return {
    text: `${text === '' ? '(no output)' : text}\n(${how})${hint?.forModel ?? ''}`,
    isError: exit.exitCode !== 0,
    // Clients show this as the output of the command.
    rawOutput: { ...exit, output: hint ? `${text}\n${hint.forUser}` : text },
  };
}
