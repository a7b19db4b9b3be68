import { errorOfKind, isAbsolutePath } from '@parley/protocol';
import type { TranscriptEvent } from '@parley/session';
import type { TerminalCreation, TerminalOutput } from './terminal-host.ts';
import {
  DEFAULT_MAX_OUTPUT_BYTES,
  DEFAULT_MAX_TERMINALS,
  type HostedTerminal,
  type TerminalExit,
  type TerminalHost,
  type TerminalHostOptions,
  type TerminalRequest,
} from './terminal-host.ts';

export interface RegistryOptions extends Pick<TerminalHostOptions, 'maxTerminals' | 'maxOutputBytes'> {
  readonly host: TerminalHost;
  /** Where the session works; undefined when there is no such session. */
  readonly cwdOf: (sessionId: string) => string | undefined;
  /** Shows the terminal in the session's transcript. */
  readonly show: (sessionId: string, event: TranscriptEvent) => void;
}

interface Held {
  readonly sessionId: string;
  readonly terminal: HostedTerminal;
}

/** The terminals that the agent has asked for, by id. Each belongs to its session; no other can reach it. */
export class TerminalRegistry {
  readonly #options: RegistryOptions;
  readonly #held = new Map<string, Held>();
  /** Sessions of terminals that are being started. */
  readonly #starting: string[] = [];

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  async create(request: TerminalCreation): Promise<string> {
    const {
      cwdOf,
      show,
      maxTerminals = DEFAULT_MAX_TERMINALS,
      maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES,
    } = this.#options;
    const { sessionId, command, args, env } = request;
    const sessionCwd = cwdOf(sessionId);
    if (sessionCwd === undefined) throw errorOfKind('session_not_found', { data: { sessionId } });
    const cwd = request.cwd ?? sessionCwd;
    if (!isAbsolutePath(cwd))
      throw errorOfKind('invalid_params', { message: `cwd: expected an absolute path, got ${cwd}` });
    if (this.#count(sessionId) >= maxTerminals) {
      throw errorOfKind('internal_error', {
        message: `The session has ${maxTerminals} terminals; release one of them first.`,
      });
    }
    const terminalId = `term-${crypto.randomUUID()}`;
    show(sessionId, { type: 'terminal', terminalId, command: [command, ...args].join(' '), cwd });
    const terminal = await this.#start(sessionId, {
      sessionId,
      command,
      args,
      env,
      cwd,
      outputByteLimit: Math.min(request.outputByteLimit ?? maxOutputBytes, maxOutputBytes),
      onOutput: (text) => show(sessionId, { type: 'terminal_output', terminalId, text }),
    });
    if (cwdOf(sessionId) === undefined) {
      // The session was closed while the command started; nobody would ever release it.
      await terminal.release();
      throw errorOfKind('session_not_found', { data: { sessionId } });
    }
    this.#held.set(terminalId, { sessionId, terminal });
    void terminal.exited.then((exit) => show(sessionId, { type: 'terminal', terminalId, ...exit }));
    return terminalId;
  }

  async readOutput(sessionId: string, terminalId: string): Promise<TerminalOutput> {
    const terminal = this.#require(sessionId, terminalId);
    const { output, isTruncated, exit = terminal.exit } = await terminal.readOutput();
    return { output, isTruncated, exit };
  }

  async waitForExit(sessionId: string, terminalId: string, signal: AbortSignal): Promise<TerminalExit> {
    const terminal = this.#require(sessionId, terminalId);
    return await orAbort(terminal.exited, signal);
  }

  async kill(sessionId: string, terminalId: string): Promise<void> {
    await this.#require(sessionId, terminalId).kill();
  }

  async release(sessionId: string, terminalId: string): Promise<void> {
    const terminal = this.#require(sessionId, terminalId);
    this.#held.delete(terminalId);
    await terminal.release();
  }

  /** Ends the terminals of a session, or all. */
  async releaseAll(sessionId?: string): Promise<void> {
    const ending = [...this.#held].filter(([, held]) => sessionId === undefined || held.sessionId === sessionId);
    for (const [terminalId] of ending) this.#held.delete(terminalId);
    await Promise.all(ending.map(([, { terminal }]) => terminal.release()));
  }

  #require(sessionId: string, terminalId: string): HostedTerminal {
    const held = this.#held.get(terminalId);
    if (held?.sessionId === sessionId) return held.terminal;
    const message = `No terminal ${terminalId} in this session; it was never created, or has been released.`;
    throw errorOfKind('resource_not_found', { message, data: { terminalId } });
  }

  async #start(sessionId: string, request: TerminalRequest): Promise<HostedTerminal> {
    this.#starting.push(sessionId);
    try {
      return await this.#options.host.create(request);
    } finally {
      this.#starting.splice(this.#starting.indexOf(sessionId), 1);
    }
  }

  #count(sessionId: string): number {
    const held = [...this.#held.values()].filter((each) => each.sessionId === sessionId).length;
    return held + this.#starting.filter((each) => each === sessionId).length;
  }
}

function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
