import type { AgentsReply, SessionSummary, WatchChange } from '../../api/index.ts';
import { type Api, createApi } from '../connection/api.ts';
import { Connections } from '../connection/connections.ts';
import { followServer, type ServerState } from '../connection/follow-server.ts';
import { onWake, pauseUntilUseful } from '../connection/pause.ts';
import { createStore, type Store } from '../parts/store.ts';
import { applyChange, findSession, nameOf, type SessionList } from '../sessions/session-list.ts';
import { notifyWaiting } from './notify.ts';
import { formatRoute, parseRoute, type Route } from './route.ts';

/** What the whole page knows: where it is, what the server has, and whether it is there. */
export class AppModel {
  readonly api: Api;
  readonly connections: Connections;
  readonly server: Store<ServerState> = createStore<ServerState>('connecting');
  readonly agents: Store<AgentsReply | undefined> = createStore<AgentsReply | undefined>(undefined);
  readonly sessions: Store<SessionList> = createStore<SessionList>([]);
  readonly route: Store<Route> = createStore<Route>(parseRoute(location.hash));
  /** What a screen reader says next. */
  readonly status: Store<string> = createStore('');
  /** Something about a connection is otherwise. */
  readonly connectionChanges: Store<number> = createStore(0);
  readonly #ending = new AbortController();

  constructor(token: string) {
    const { origin } = location;
    this.api = createApi({ origin, token });
    this.connections = new Connections({
      api: this.api,
      origin,
      token,
      onChange: () => this.connectionChanges.set(this.connectionChanges.value + 1),
    });
  }

  start(): void {
    const { signal } = this.#ending;
    addEventListener('hashchange', () => this.route.set(parseRoute(location.hash)), { signal });
    signal.addEventListener(
      'abort',
      onWake(() => this.connections.probe()),
    );
    void followServer({
      api: this.api,
      signal,
      onState: (state) => this.server.set(state),
      onStart: (agents, sessions) => {
        this.agents.set(agents);
        this.sessions.set(sessions);
      },
      onChange: (change) => this.#apply(change),
      onWake,
      pause: pauseUntilUseful,
    });
  }

  go(route: Route): void {
    location.hash = formatRoute(route);
  }

  /** Goes to a session; one that is about to be listed is listed at once. */
  show(session: Pick<SessionSummary, 'agent' | 'sessionId'>): void {
    this.go({ name: 'session', agent: session.agent, sessionId: session.sessionId });
  }

  /** The list as it is now, for what the stream of changes has not told yet. */
  async refresh(): Promise<SessionList> {
    const { sessions } = await this.api.sessions();
    this.sessions.set(sessions);
    return sessions;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.connections.close();
  }

  #apply(change: WatchChange): void {
    const before = this.sessions.value;
    this.sessions.set(applyChange(before, change));
    if (change.type !== 'session') return;
    const { session } = change;
    const known = findSession(before, session.agent, session.sessionId);
    if (known?.state === session.state && known.questions.length >= session.questions.length) return;
    const name = nameOf(session);
    if (session.state === 'waiting') {
      this.status.set(`Waiting for you in ${name}`);
      notifyWaiting(session, () => this.show(session));
    } else if (session.state === 'running' && known?.state !== 'waiting') this.status.set(`The agent works: ${name}`);
    else if (session.state === 'done' && known !== undefined) this.status.set(`The agent is done: ${name}`);
  }
}
