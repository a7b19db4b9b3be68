import { Backoff, type BackoffOptions } from '@parley/jsonrpc/internal';
import type { AgentsReply, SessionSummary, WatchChange } from '../../api/index.ts';
import type { Api, ApiError } from './api.ts';

/** Whether the server is there. */
export type ServerState = 'connecting' | 'connected' | 'lost' | 'refused';

export interface FollowServerOptions {
  readonly api: Api;
  readonly signal: AbortSignal;
  readonly onState: (state: ServerState) => void;
  /** What the server has now; told each time that it is reached. */
  readonly onStart: (agents: AgentsReply, sessions: readonly SessionSummary[]) => void;
  readonly onChange: (change: WatchChange) => void;
  /** Calls back when the page is looked at again, or the machine is online again. Returns what ends it. */
  readonly onWake: (listener: () => void) => () => void;
  /** Resolves when it is worth trying again: after the pause, or sooner when the machine is online or awake again. */
  readonly pause: (pauseMs: number, signal: AbortSignal) => Promise<void>;
}

const BACKOFF: BackoffOptions = { firstMs: 500, maxMs: 15_000 };
/** The server says something every 25 s; a stream that was silent for longer has died while the machine slept. */
const STALE_MS = 60_000;

/** Follows the sessions of the server as long as the page is open. Only while the server is lost does a timer run. */
export async function followServer(options: FollowServerOptions): Promise<void> {
  const { api, signal, onState, onStart, onChange, onWake, pause } = options;
  const backoff = new Backoff(BACKOFF);
  while (!signal.aborted) {
    let isStarted = false;
    /** What is told while the list is on its way, which may be older. */
    let early: WatchChange[] | undefined = [];
    let heardAt = Date.now();
    const attempt = new AbortController();
    const stopWaking = onWake(() => Date.now() - heardAt > STALE_MS && attempt.abort());
    try {
      await api.watch(
        (change) => {
          heardAt = Date.now();
          if (isStarted) return void (early ? early.push(change) : onChange(change));
          isStarted = true;
          backoff.reset();
          // Changes are told from now on, so that nothing lies between the list and them.
          void Promise.all([api.agents(signal), api.sessions({}, signal)]).then(([agents, { sessions }]) => {
            onStart(agents, sessions);
            for (const each of early ?? []) onChange(each);
            early = undefined;
            onState('connected');
          }, ignore);
        },
        AbortSignal.any([signal, attempt.signal]),
      );
    } catch (error) {
      if (signal.aborted) return;
      if ((error as ApiError).status === 401) return onState('refused');
    } finally {
      stopWaking();
    }
    if (signal.aborted) return;
    onState('lost');
    await pause(backoff.next(), signal);
  }
}

/** The stream of changes fails as well then, and is begun anew. */
function ignore(): void {}
