import type { SessionEvent } from '@parley/session';
import { TurnAbortError } from '../errors.ts';
import { toAbsolutePath } from './paths.ts';

/** A command that the agent runs itself, and shows while it runs. */
export interface NewShownTerminal {
  readonly command: string;
  /** Default: the session's cwd. A relative path starts there. */
  readonly cwd?: string;
  readonly size?: TerminalSize;
  /** A client may ask that the command ends, which `signal` tells. Default: false. */
  readonly cancellable?: boolean;
}

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** How a command ended; both are absent when nobody knows. */
export interface TerminalExit {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/**
 * A terminal of the agent's own, as clients see it. Put it into a tool call (`terminal`) to say where it is shown. It runs nothing:
 * write to it what the command writes, and say how the command ended. At the latest it ends with its turn.
 */
export interface ShownTerminal {
  readonly id: string;
  readonly hasExited: boolean;
  /** Aborts when a client has cancelled the command, and when the turn is over. */
  readonly signal: AbortSignal;
  /** Adds to the output. Returns a promise only when it is better to wait. */
  write(text: string): void | Promise<void>;
  resize(size: TerminalSize): void;
  /** The command has ended. What is written after that is dropped. */
  exit(exit?: TerminalExit): void;
}

export interface ShownTerminalOptions {
  readonly id: string;
  readonly cwd: string;
  /** Aborts when the turn is over. */
  readonly signal: AbortSignal;
  readonly emit: (event: SessionEvent) => void | Promise<void>;
  readonly onExit: (terminal: OpenShownTerminal) => void;
}

export class OpenShownTerminal implements ShownTerminal {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly #options: ShownTerminalOptions;
  /** Present when a client may cancel the command. */
  readonly #cancellation: AbortController | undefined;
  #hasExited = false;

  constructor(options: ShownTerminalOptions, { command, cwd, size, cancellable = false }: NewShownTerminal) {
    this.id = options.id;
    this.#options = options;
    this.#cancellation = cancellable ? new AbortController() : undefined;
    this.signal = this.#cancellation ? AbortSignal.any([this.#cancellation.signal, options.signal]) : options.signal;
    void options.emit({
      type: 'terminal',
      terminalId: this.id,
      command,
      cwd: cwd === undefined ? options.cwd : toAbsolutePath(options.cwd, cwd),
      ...(size && { size }),
      ...(cancellable && { canCancel: true }),
    });
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  write(text: string): void | Promise<void> {
    if (this.#hasExited || text === '') return;
    return this.#options.emit({ type: 'terminal_output', terminalId: this.id, text });
  }

  resize(size: TerminalSize): void {
    if (!this.#hasExited) void this.#options.emit({ type: 'terminal', terminalId: this.id, size });
  }

  exit({ exitCode = null, signal = null }: TerminalExit = {}): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    void this.#options.emit({
      type: 'terminal',
      terminalId: this.id,
      exitCode,
      signal,
      ...(this.#cancellation && { canCancel: false }),
    });
    this.#options.onExit(this);
  }

  /** A client asks that the command ends; false when it may not, or when the command has ended. */
  requestCancel(): boolean {
    if (this.#hasExited || !this.#cancellation) return false;
    this.#cancellation.abort(new TurnAbortError('terminal_cancelled', 'The command was cancelled by the client.'));
    return true;
  }
}
