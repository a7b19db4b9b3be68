import type { SessionEvent } from '@parley/session';
import type { NewShownTerminal, ShownTerminal, TerminalExit, TerminalSize } from '../contract/turn.ts';
import { TurnAbortError } from '../errors.ts';
import { toAbsolutePath } from './paths.ts';

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
