import type { AgentActivity } from '@parley/agent';
import type { Question } from '@parley/session';
import type { SessionRecord, SessionStore } from '@parley/store';
import { ChangeQueue } from './change-queue.ts';
import type { GatewaySession, SessionChange, SessionsPage, SessionsQuery } from './gateway-session.ts';

/** A session of somebody, at one of the agents. */
interface Place {
  readonly agent: string;
  readonly principal: string;
  readonly sessionId: string;
}

/** What goes on in a session; of most nothing does. */
interface Progress {
  readonly turns: Set<string>;
  readonly questions: Map<string, Question>;
}

const DEFAULT_LIMIT = 200;

/**
 * All sessions of a principal, whichever agent has them: what the store knows of them, and what goes on in them now. After a restart
 * nothing goes on, so that the store alone tells all.
 */
export class SessionOverview {
  readonly #names: readonly string[];
  readonly #open: (() => Promise<SessionStore>) | undefined;
  readonly #progress = new Map<string, Progress>();
  readonly #watching = new Map<string, Set<ChangeQueue<Place>>>();

  constructor(names: readonly string[], open: (() => Promise<SessionStore>) | undefined) {
    this.#names = names;
    this.#open = open;
  }

  async list({ principal, agent, cwd, limit = DEFAULT_LIMIT }: SessionsQuery): Promise<SessionsPage> {
    const store = await this.#open?.();
    const names = agent === undefined ? this.#names : this.#names.filter((name) => name === agent);
    const pages = await Promise.all(
      names.map(async (name) => {
        const page = await store?.log(`${name}/${principal}`).list({ cwd, limit });
        const sessions = (page?.sessions ?? []).map((record) => this.#describe(name, principal, record));
        return { sessions, hasMore: (page?.nextCursor ?? null) !== null };
      }),
    );
    const all = pages
      .flatMap(({ sessions }) => sessions)
      .sort((one, other) => other.updatedAt - one.updatedAt || (one.sessionId < other.sessionId ? -1 : 1));
    return { sessions: all.slice(0, limit), hasMore: all.length > limit || pages.some(({ hasMore }) => hasMore) };
  }

  /** What changes from now on. Several changes of one session may be told as one. */
  async *watch({
    principal,
    signal,
  }: {
    readonly principal: string;
    readonly signal: AbortSignal;
  }): AsyncGenerator<SessionChange> {
    const queue = new ChangeQueue<Place>(signal);
    const queues = this.#watching.get(principal) ?? new Set();
    this.#watching.set(principal, queues.add(queue));
    try {
      for await (const place of queue) yield await this.#read(place);
    } finally {
      queues.delete(queue);
      if (queues.size === 0 && this.#watching.get(principal) === queues) this.#watching.delete(principal);
    }
  }

  /** Takes what happens in a session of an agent. */
  see(agent: string, principal: string, activity: AgentActivity): void {
    const { sessionId } = activity;
    const key = keyOf({ agent, principal, sessionId });
    if (activity.kind === 'recorded') {
      const progress = this.#progress.get(key) ?? { turns: new Set(), questions: new Map() };
      applyActivity(progress, activity.entry);
      if (progress.turns.size + progress.questions.size === 0) this.#progress.delete(key);
      else this.#progress.set(key, progress);
    }
    if (activity.kind === 'session_closed') this.#progress.delete(key);
    this.touch({ agent, principal, sessionId });
  }

  /** Somebody has changed a session, or taken it away. */
  touch(place: Place): void {
    for (const queue of this.#watching.get(place.principal) ?? []) queue.push(keyOf(place), place);
  }

  async #read(place: Place): Promise<SessionChange> {
    const { agent, principal, sessionId } = place;
    const record = await (await this.#open?.())?.log(`${agent}/${principal}`).get(sessionId);
    if (!record || record.isArchived) return { type: 'removed', agent, sessionId };
    return { type: 'session', session: this.#describe(agent, principal, record) };
  }

  #describe(agent: string, principal: string, { id, title, cwd, updatedAtMs }: SessionRecord): GatewaySession {
    const progress = this.#progress.get(keyOf({ agent, principal, sessionId: id }));
    const questions = [...(progress?.questions.values() ?? [])];
    const isRunning = (progress?.turns.size ?? 0) > 0;
    return {
      agent,
      sessionId: id,
      ...(title !== null && { title }),
      cwd,
      updatedAt: updatedAtMs,
      state: questions.length > 0 ? 'waiting' : isRunning ? 'running' : 'done',
      questions,
    };
  }
}

function applyActivity(
  { turns, questions }: Progress,
  entry: Extract<AgentActivity, { kind: 'recorded' }>['entry'],
): void {
  switch (entry.type) {
    case 'turn_started':
      turns.add(entry.turnId);
      return;
    case 'turn_ended':
      turns.delete(entry.turnId);
      return;
    case 'question_asked':
      questions.set(entry.question.questionId, entry.question);
      return;
    case 'question_answered':
    case 'question_withdrawn':
      questions.delete(entry.questionId);
  }
}

function keyOf({ agent, principal, sessionId }: Place): string {
  return JSON.stringify([agent, principal, sessionId]);
}
