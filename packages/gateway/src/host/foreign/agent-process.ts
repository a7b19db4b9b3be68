import {
  type AgentConnection,
  type AgentSource,
  type ClientSession,
  type ConnectOptions,
  connect,
  type TranscriptEvent,
} from '@parley/client';

/** Where the events of a session at the agent go. */
export interface EventSink {
  pass(event: TranscriptEvent): void;
}

/** A session at the agent, and whoever follows it. */
export interface ForeignSession<Sink extends EventSink> {
  readonly session: ClientSession;
  /** How it was opened, to be compared. */
  readonly setup: string;
  readonly follower: { sink: Sink | undefined };
}

/** The sessions that are open in one process, by their names there. */
export type ForeignSessions<Sink extends EventSink> = Map<string, ForeignSession<Sink>>;

export interface AgentProcessOptions<Sink extends EventSink> {
  readonly source: AgentSource;
  readonly connect: ConnectOptions;
  readonly sessions: ForeignSessions<Sink>;
  readonly idleMs: number;
  /** Whose it is; undefined where all share it. */
  readonly principal: string | undefined;
  /** Gives back what clients hold for a session of it that is over, or for all of them. */
  readonly release: (sessionId?: string) => void;
}

/** One agent that runs, with the sessions that are open in it. It is stopped when nothing was asked of it for a while. */
export class AgentProcess<Sink extends EventSink> {
  readonly connection: AgentConnection;
  readonly sessions: ForeignSessions<Sink>;
  /** Whose it is; undefined where all share it. */
  readonly principal: string | undefined;
  readonly startedAtMs: number = Date.now();
  /** Resolves when nothing more can be asked of it; it may still be about to end. */
  readonly ended: Promise<void>;
  readonly #idleMs: number;
  readonly #release: (sessionId?: string) => void;
  #isOver = false;
  #onEnd: () => void = () => {};
  #uses = 0;
  #pauses = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    connection: AgentConnection,
    { sessions, idleMs, principal, release }: AgentProcessOptions<Sink>,
  ) {
    this.connection = connection;
    this.sessions = sessions;
    this.principal = principal;
    this.#idleMs = idleMs;
    this.#release = release;
    this.ended = new Promise((resolve) => {
      this.#onEnd = resolve;
    });
    this.#wait();
    void connection.closed.then(() => this.lose());
  }

  static async start<Sink extends EventSink>(options: AgentProcessOptions<Sink>): Promise<AgentProcess<Sink>> {
    const connection = await connect(options.source, options.connect);
    return new AgentProcess(connection, options);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The agent is gone: whoever needs one starts another. */
  lose(): void {
    this.#isOver = true;
    clearTimeout(this.#idle);
    this.#release();
    this.#onEnd();
  }

  /** A session of it is over. */
  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
    this.#release(sessionId);
  }

  /** Uses the agent: as long as somebody does, it is not stopped. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#uses += 1;
    clearTimeout(this.#idle);
    try {
      return await work();
    } finally {
      this.#uses -= 1;
      if (this.#uses === 0) this.#wait();
    }
  }

  /** Slows the agent down until there is room for more of what it says. */
  pauseUntil(room: Promise<void>): void {
    if (this.isOver) return;
    this.#pauses += 1;
    this.connection.pause();
    void room.finally(() => {
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.isOver) this.connection.resume();
    });
  }

  close(): Promise<void> {
    this.lose();
    return this.connection.close();
  }

  #wait(): void {
    clearTimeout(this.#idle);
    if (this.isOver) return;
    this.#idle = setTimeout(() => {
      if (this.#mayStop()) void this.close();
      else this.#wait();
    }, this.#idleMs).unref();
  }

  /** A session that somebody has open, and that the agent could not open again, keeps it running. */
  #mayStop(): boolean {
    const { loadSession, resumeSession } = this.connection.offers;
    return loadSession || resumeSession || ![...this.sessions.values()].some(({ follower }) => follower.sink);
  }
}
