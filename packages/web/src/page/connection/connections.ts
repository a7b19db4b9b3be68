import type { AgentConnection } from '@parley/client';
import type { OpenSession } from '../sessions/open-session.ts';
import type { Api } from './api.ts';
import type { PageConnection } from './connect-to.ts';

export interface ConnectionsOptions {
  readonly api: Api;
  /** Where the server is: `https://agents.example`. */
  readonly origin: string;
  readonly token: string;
  /** A connection was opened, is lost, is there again or has ended; or a question has come or gone. */
  readonly onChange: () => void;
}

/** One connection for each agent, opened when it is first needed, and the sessions that are open on them. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections = new Map<string, Promise<AgentConnection>>();
  readonly #states = new Map<string, AgentConnection>();
  readonly #probes = new Map<string, PageConnection['probe']>();
  readonly #open = new Map<string, Promise<OpenSession>>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** The connections that are open, by the names of the agents. */
  get all(): ReadonlyMap<string, AgentConnection> {
    return this.#states;
  }

  of(agent: string): Promise<AgentConnection> {
    const known = this.#connections.get(agent);
    if (known) return known;
    const connecting = this.#connect(agent);
    this.#connections.set(agent, connecting);
    connecting.catch(() => this.#forget(agent, connecting));
    return connecting;
  }

  /**
   * A stored session with its conversation. One that is open already is the same. `onOpening` gets it while the conversation
   * is still being told.
   */
  open(agent: string, sessionId: string, cwd: string, onOpening: (open: OpenSession) => void): Promise<OpenSession> {
    return this.#keep(agent, sessionId, async (connection) => {
      const options = {
        cwd,
        onOpening: (session: OpenSession['session']) => onOpening(this.#describe(agent, connection, session)),
      };
      return connection.offers.loadSession
        ? connection.loadSession(sessionId, options)
        : connection.resumeSession(sessionId, options);
    });
  }

  async create(agent: string, cwd: string): Promise<OpenSession> {
    const connection = await this.of(agent);
    return this.#add(agent, connection, await connection.newSession({ cwd }));
  }

  /** Forks a session, and resolves with the id of the fork. It is closed again: who opens it gets its conversation too. */
  async fork(agent: string, sessionId: string, cwd: string): Promise<string> {
    const connection = await this.of(agent);
    const session = await connection.forkSession(sessionId, { cwd });
    if (connection.offers.loadSession) await session.close();
    else this.#add(agent, connection, session);
    return session.id;
  }

  async remove(agent: string, sessionId: string): Promise<void> {
    const connection = await this.of(agent);
    await connection.deleteSession(sessionId);
    this.#open.delete(keyOf(agent, sessionId));
  }

  /** Finds out about wires that have died while the machine slept. */
  probe(): void {
    for (const probe of this.#probes.values()) probe();
  }

  /** Gives a session another name. */
  async rename(agent: string, sessionId: string, title: string): Promise<void> {
    const connection = await this.of(agent);
    await connection.setSessionTitle(sessionId, title);
  }

  /** Ends all connections; the sessions go on at the server. */
  async close(): Promise<void> {
    const all = [...this.#connections.values()];
    this.#connections.clear();
    this.#open.clear();
    await Promise.allSettled(all.map(async (connecting) => (await connecting).close()));
  }

  #keep(
    agent: string,
    sessionId: string,
    load: (connection: AgentConnection) => Promise<OpenSession['session']>,
  ): Promise<OpenSession> {
    const key = keyOf(agent, sessionId);
    const known = this.#open.get(key);
    if (known) return known;
    const opening = this.of(agent).then(async (connection) =>
      this.#describe(agent, connection, await load(connection)),
    );
    this.#open.set(key, opening);
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  #add(agent: string, connection: AgentConnection, session: OpenSession['session']): OpenSession {
    const open = this.#describe(agent, connection, session);
    this.#open.set(keyOf(agent, session.id), Promise.resolve(open));
    return open;
  }

  #describe(agent: string, connection: AgentConnection, session: OpenSession['session']): OpenSession {
    const { api } = this.#options;
    return { agent, session, connection, api };
  }

  async #connect(agent: string): Promise<AgentConnection> {
    const { origin, token, onChange } = this.#options;
    const { connectTo } = await import('./connect-to.ts');
    const url = new URL(`/acp/${encodeURIComponent(agent)}`, origin.replace(/^http/, 'ws'));
    const { connection, probe } = await connectTo(url, token);
    this.#states.set(agent, connection);
    this.#probes.set(agent, probe);
    connection.on('state', onChange);
    connection.on('question', onChange);
    void connection.closed.finally(() => {
      this.#forget(agent, undefined);
      onChange();
    });
    onChange();
    return connection;
  }

  #forget(agent: string, connecting: Promise<AgentConnection> | undefined): void {
    if (connecting && this.#connections.get(agent) !== connecting) return;
    this.#connections.delete(agent);
    this.#states.delete(agent);
    this.#probes.delete(agent);
    for (const key of this.#open.keys()) if (key.startsWith(`${agent}/`)) this.#open.delete(key);
  }
}

function keyOf(agent: string, sessionId: string): string {
  return `${agent}/${sessionId}`;
}
