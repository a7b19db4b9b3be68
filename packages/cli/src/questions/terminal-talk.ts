import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { CliContext } from '../context.ts';

/** The person at the terminal, asked line by line on stderr, so that stdout stays the agent's. */
export interface TerminalTalk {
  /** Asks when nobody else is asking: two questions at once would take each other's answers. */
  hold<Answer>(signal: AbortSignal, ask: (lines: Lines) => Promise<Answer>): Promise<Answer | undefined>;
}

export interface Lines {
  say(text: string): void;
  /** A line that the person types. Throws when there will be none: the input ended, or the turn did. */
  read(prompt: string): Promise<string>;
  /** The same, without showing what is typed. */
  readSecret(prompt: string): Promise<string>;
}

/** The terminal, but for what is being typed while it hides. */
class HidingScreen extends Writable {
  isHiding = false;
  readonly #terminal: CliContext['stderr'];

  constructor(terminal: CliContext['stderr']) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
  }

  get columns(): number {
    return (this.#terminal as { columns?: number }).columns ?? 80;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    if (!this.isHiding) this.#terminal.write(text);
    done();
  }
}

/** What `hold` resolves to is undefined when the person did not answer. */
export function createTerminalTalk({ stdin, stderr }: CliContext): TerminalTalk {
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
    ask: (lines: Lines) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const screen = new HidingScreen(stderr);
    const terminal = createInterface({ input: stdin, output: screen, terminal: true });
    const ended = new AbortController();
    const stop = (): void => ended.abort();
    // While a line is read, Ctrl-C is a key and no signal.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    terminal.once('close', stop);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await ask({
        say: (text) => void stderr.write(`${text}\n`),
        read: (prompt) => terminal.question(prompt, { signal: ended.signal }),
        async readSecret(prompt) {
          stderr.write(prompt);
          screen.isHiding = true;
          try {
            return await terminal.question('', { signal: ended.signal });
          } finally {
            screen.isHiding = false;
            stderr.write('\n');
          }
        },
      });
    } catch (error) {
      if (ended.signal.aborted) return undefined;
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      terminal.off('close', stop).close();
    }
  }
}
