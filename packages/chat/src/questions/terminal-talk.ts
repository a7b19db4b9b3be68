import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { safeForTerminal } from '@parley/host/terminal';
import { paint } from '@parley/terminal';
import type { TextWriterOptions } from '../view/text-writer.ts';
import type { Lines } from './ask-in-lines.ts';

/** The streams of the terminal. */
export interface TalkStreams {
  readonly stdin: NodeJS.ReadableStream;
  /** Clean text only: questions are written here. */
  readonly stderr: NodeJS.WritableStream;
  /** The same terminal for readline, which moves the cursor. */
  readonly terminal: NodeJS.WritableStream & { readonly columns?: number };
}

/** The person at the terminal, asked line by line on stderr, so that stdout stays the agent's. */
export interface TerminalTalk {
  /** Asks when nobody else is asking: two questions at once would take each other's answers. */
  hold<Answer>(signal: AbortSignal, ask: (lines: TerminalLines) => Promise<Answer>): Promise<Answer | undefined>;
}

export interface TerminalLines extends Lines {
  /** The same as `read`, without showing what is typed. */
  readSecret(prompt: string): Promise<string | undefined>;
}

/** The terminal, but for what is being typed while it hides. */
class HidingScreen extends Writable {
  isHiding = false;
  readonly #terminal: TalkStreams['terminal'];

  constructor(terminal: TalkStreams['terminal']) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
  }

  get columns(): number {
    return this.#terminal.columns || 80;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isHiding) this.#terminal.write(text);
    done();
  }
}

/** What `hold` resolves to is undefined when the person did not answer. */
export function createTerminalTalk(
  { stdin, stderr, terminal: screen }: TalkStreams,
  look: Pick<TextWriterOptions, 'view' | 'paint'>,
): TerminalTalk {
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold(signal, ask) {
      // What the agent said before it asked is printed first, not into the person's answer.
      const answer = last.then(() => setImmediate()).then(() => (signal.aborted ? undefined : talk(signal, ask)));
      last = answer.catch(() => {});
      return answer;
    },
  };

  async function talk<Answer>(
    signal: AbortSignal,
    ask: (lines: TerminalLines) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const shown = new HidingScreen(screen);
    const terminal = createInterface({ input: stdin, output: shown, terminal: true });
    const ended = new AbortController();
    const stop = (): void => ended.abort();
    // While a line is read, Ctrl-C is a key and no signal.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    terminal.once('close', stop);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await ask({
        announce: (_kind, words) => void stderr.write(`\nWaiting for you: ${words}\n`),
        say: (text) => void stderr.write(`${text}\n`),
        show: (line) => void stderr.write(`${paint(line, look.paint)}\n`),
        view: look.view,
        canOpenPages: true,
        read: (prompt) => orNothing(terminal.question(safeForTerminal(prompt), { signal: ended.signal }), ended.signal),
        async readSecret(prompt) {
          stderr.write(prompt);
          shown.isHiding = true;
          try {
            return await orNothing(terminal.question('', { signal: ended.signal }), ended.signal);
          } finally {
            shown.isHiding = false;
            stderr.write('\n');
          }
        },
      });
    } finally {
      signal.removeEventListener('abort', stop);
      terminal.off('close', stop).close();
    }
  }
}

/** A line that will not come any more is none: the input ended, or the turn did. */
function orNothing(line: Promise<string>, ended: AbortSignal): Promise<string | undefined> {
  return line.catch((error: unknown) => {
    if (ended.aborted) return undefined;
    throw error;
  });
}
