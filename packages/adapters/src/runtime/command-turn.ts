import type { Turn } from '@parley/agent';
import type { ProcessExit } from '@parley/host/process';
import type { Description } from '../description/description.ts';
import type { LineProcess, OutputListener } from '../process/line-process.ts';
import { createLineReader } from '../reading/create-line-reader.ts';
import type { LineReader, Signal, SignalSource } from '../reading/signal.ts';
import type { FindToolFacts } from '../telling/tool-facts.ts';
import { type OutputTarget, TurnOutput } from '../telling/turn-output.ts';
import type { AdapterLog } from './adapter-options.ts';
import { askPerson } from './ask-person.ts';
import { countTokens } from './count-tokens.ts';
import { TurnClock } from './turn-clock.ts';

export interface CommandTurnOptions {
  readonly turn: Turn;
  readonly description: Description;
  readonly process: LineProcess;
  readonly factsOf: FindToolFacts;
  readonly log: AdapterLog;
  readonly onSession: (id: string) => void;
}

/** How the command's part of a turn ended. */
export type CommandEnd =
  | { readonly how: 'result' }
  | { readonly how: 'exit'; readonly exit: ProcessExit }
  | { readonly how: 'cancelled' }
  | { readonly how: 'timeout'; readonly because: string }
  | { readonly how: 'failed'; readonly error: unknown };

/** One turn as a process carries it out: its lines are read, told and answered until the turn has ended. */
export class CommandTurn implements OutputListener {
  readonly output: TurnOutput;
  /** Resolves at the first of: the result, where `result` ends the turn; the end of the process; a cancel; a timeout. */
  readonly ended: Promise<CommandEnd>;
  #end: (end: CommandEnd) => void = () => {};
  readonly #options: CommandTurnOptions;
  readonly #read: LineReader;
  readonly #clock: TurnClock;
  /** The end of what was written beside the lines that are understood. */
  #noise = '';
  #lastId = 0;
  #linger: ReturnType<typeof setTimeout> | undefined;
  #onResult: () => void = () => {};

  constructor(options: CommandTurnOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { turn, description, process, factsOf } = options;
    this.output = new TurnOutput(this.#createTarget(), factsOf);
    this.#read = createLineReader(description);
    const { timeout, idleTimeout = DEFAULT_IDLE_TIMEOUT_MS } = description;
    this.#clock = new TurnClock({
      timeoutMs: timeout,
      idleTimeoutMs: idleTimeout,
      onTimeout: (because) => this.#end({ how: 'timeout', because }),
    });
    void process.ended.then((exit) => this.#end({ how: 'exit', exit }));
    const onAbort = (): void => this.#end({ how: 'cancelled' });
    turn.signal.addEventListener('abort', onAbort, { once: true });
    if (turn.signal.aborted) onAbort();
    void this.ended.then(() => {
      this.#clock.stop();
      clearTimeout(this.#linger);
      turn.signal.removeEventListener('abort', onAbort);
    });
    process.listen(this);
  }

  get noise(): string {
    return this.#noise.slice(-MAX_NOISE);
  }

  /** Whether the result comes in time, for a turn that the command was asked to end. */
  hasResultWithin(milliseconds: number): Promise<boolean> {
    if (this.output.result) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.#onResult = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  onLine(line: string): void {
    const { log } = this.#options;
    try {
      const value: unknown = JSON.parse(line);
      log.debug?.(`< ${line}`);
      if (!this.#read(value, this.#take)) log.debug?.('  nothing in the description is about this line');
    } catch (error) {
      if (error instanceof SyntaxError) this.#hearNoise(line);
      else this.#end({ how: 'failed', error });
    }
  }

  onText(text: string): void {
    this.#guard(() => this.output.take({ type: 'message', text, isPiece: true }));
  }

  onLongLine(characters: number): void {
    this.#options.log.debug?.(`< (a line of ${characters} characters was left out: it is too long)`);
    this.#guard(() =>
      this.output.take({
        type: 'notice',
        severity: 'warning',
        title: `A line of ${characters} characters was left out: it is too long.`,
      }),
    );
  }

  onPause(): void | Promise<void> {
    this.#clock.hear();
    try {
      return this.output.flush();
    } catch (error) {
      this.#end({ how: 'failed', error });
    }
  }

  readonly #take = (signal: Signal, source: SignalSource): void => {
    this.#options.log.debug?.(`  ${describeSource(source)}: ${signal.type}`);
    this.output.take(signal);
    if (signal.type === 'result') this.#takeResult();
  };

  /** A process that stays has ended its turn; any other has a moment to end itself, and what it still writes counts. */
  #takeResult(): void {
    this.#onResult();
    if (this.#options.description.sessionMode === 'persistent') return this.#end({ how: 'result' });
    this.#options.process.endInput();
    this.#linger ??= setTimeout(() => this.#end({ how: 'result' }), EXIT_GRACE_MS);
  }

  #hearNoise(line: string): void {
    this.#options.log.debug?.(`< (no JSON) ${line}`);
    this.#noise = `${this.#noise}${line}\n`.slice(-2 * MAX_NOISE);
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#end({ how: 'failed', error });
    }
  }

  #createTarget(): OutputTarget {
    const { turn, description, process, log, onSession } = this.#options;
    return {
      cwd: turn.session.cwd,
      newId: (what) => `${what}-${turn.id}-${++this.#lastId}`,
      tell: (event) => turn.update(event),
      ask: (question, call) => {
        this.#clock.hold();
        void askPerson(turn, question, call).then((line) => {
          this.#clock.release();
          log.debug?.(`> ${line.trimEnd()}`);
          process.write(line);
        });
      },
      onSession: (id) => {
        log.debug?.(`  the session of the command is ${id}`);
        onSession(id);
      },
      onModel: (model) => {
        const values = description.models?.values.map((each) => (typeof each === 'string' ? each : each.value));
        if (values?.includes(model) && turn.session.options.model !== model) turn.option('model', model);
      },
      onTitle: (title) => turn.title(title),
      addTokens: (usage) => countTokens(turn, usage),
    };
  }
}

export const DEFAULT_IDLE_TIMEOUT_MS: number = 10 * 60_000;
/** How long a process may take to end after its result. */
const EXIT_GRACE_MS = 5000;
/** Characters of output that is no JSON, kept for the error of a command that fails. */
const MAX_NOISE = 4096;

function describeSource(source: SignalSource): string {
  return typeof source === 'number' ? `outputEvents[${source}]` : source;
}
