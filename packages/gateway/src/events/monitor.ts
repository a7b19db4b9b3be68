import type { AgentActivity, RecordedActivity } from '@parley/agent';
import { AgentError } from '@parley/client';
import { assertNever } from '@parley/jsonrpc';
import type { Question } from '@parley/session';
import type { ProcessChange } from '../host/host-hooks.ts';
import type { GatewayEvent } from './gateway-event.ts';

/** An event before it is known when it happened. */
export type NewEvent = GatewayEvent extends infer Event
  ? Event extends GatewayEvent
    ? Omit<Event, 'at'>
    : never
  : never;

/** Where something happens. */
export interface Place {
  readonly agent: string;
  readonly principal: string;
}

interface Running {
  readonly sessionId: string;
  readonly agent: string;
  readonly startedAt: number;
}

interface Asked extends Running {
  readonly question: Question;
}

/** What goes on in a gateway: keeps count, and tells whoever listens. */
export class Monitor {
  readonly #onEvent: ((event: GatewayEvent) => void) | undefined;
  readonly #turns = new Map<string, Running>();
  readonly #questions = new Map<string, Asked>();
  readonly #whenIdle = new Set<() => void>();

  constructor(onEvent: ((event: GatewayEvent) => void) | undefined) {
    this.#onEvent = onEvent;
  }

  /** Whether anybody listens; where nobody does, nothing needs to be measured. */
  get isHeard(): boolean {
    return this.#onEvent !== undefined;
  }

  get turns(): number {
    return this.#turns.size;
  }

  get questions(): number {
    return this.#questions.size;
  }

  turnsOf(agent: string): number {
    let turns = 0;
    for (const running of this.#turns.values()) if (running.agent === agent) turns += 1;
    return turns;
  }

  /** Resolves when no turn runs. */
  async whenIdle(): Promise<void> {
    if (this.#turns.size === 0) return;
    await new Promise<void>((resolve) => this.#whenIdle.add(resolve));
  }

  tell(event: NewEvent): void {
    this.#onEvent?.({ ...event, at: Date.now() } as GatewayEvent);
  }

  /** Takes what happens in a session of an agent. */
  see(place: Place, activity: AgentActivity): void {
    const { sessionId } = activity;
    const fields = { ...place, sessionId };
    switch (activity.kind) {
      case 'session_opened':
        return this.tell({ kind: 'session_opened', ...fields });
      case 'session_closed':
        return this.tell({ kind: 'session_closed', ...fields, end: activity.end });
      case 'setting_changed':
        return this.tell({ kind: 'settings_changed', ...fields, setting: activity.id, value: activity.value });
      case 'recorded':
        return this.#seeEntry(fields, activity.entry);
      default:
        return assertNever(activity);
    }
  }

  seeProcess(agent: string, principal: string | undefined, { kind, process, error }: ProcessChange): void {
    const fields = { agent, process, ...(principal !== undefined && { principal }) };
    if (kind !== 'crashed')
      return this.tell({ kind: kind === 'started' ? 'agent_started' : 'agent_stopped', ...fields });
    const { exitCode, signal } = error instanceof AgentError ? error : {};
    this.tell({
      kind: 'agent_crashed',
      ...fields,
      error,
      ...(exitCode != null && { exitCode }),
      ...(signal != null && { signal }),
    });
  }

  #seeEntry(fields: Place & { readonly sessionId: string }, entry: RecordedActivity): void {
    const key = (id: string): string => JSON.stringify([fields.agent, fields.sessionId, id]);
    switch (entry.type) {
      case 'turn_started': {
        this.#turns.set(key(entry.turnId), { ...fields, startedAt: performance.now() });
        return this.tell({ kind: 'turn_started', ...fields, turnId: entry.turnId });
      }
      case 'turn_ended': {
        const { turnId, stopReason, error } = entry;
        const running = take(this.#turns, key(turnId));
        // A prompt that was cancelled while it waited has had no turn.
        if (!running) return;
        const durationMs = since(running);
        const end = { ...(stopReason && { stopReason }), ...(error && { error }) };
        this.tell({ kind: 'turn_ended', ...fields, turnId, durationMs, ...end });
        if (this.#turns.size > 0) return;
        for (const resolve of this.#whenIdle) resolve();
        return this.#whenIdle.clear();
      }
      case 'question_asked': {
        const { question } = entry;
        this.#questions.set(key(question.questionId), { ...fields, question, startedAt: performance.now() });
        return this.tell({ kind: 'question_asked', ...fields, question });
      }
      case 'question_answered': {
        const asked = take(this.#questions, key(entry.questionId));
        if (!asked) return;
        const { answer, by } = entry;
        const { question } = asked;
        return this.tell({ kind: 'question_answered', ...fields, question, answer, by, durationMs: since(asked) });
      }
      case 'question_withdrawn': {
        const asked = take(this.#questions, key(entry.questionId));
        if (!asked) return;
        const { question } = asked;
        return this.tell({ kind: 'question_withdrawn', ...fields, question, durationMs: since(asked) });
      }
      default:
        return assertNever(entry);
    }
  }
}

function take<Value>(values: Map<string, Value>, key: string): Value | undefined {
  const value = values.get(key);
  values.delete(key);
  return value;
}

function since({ startedAt }: Running): number {
  return performance.now() - startedAt;
}
