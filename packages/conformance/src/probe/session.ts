import type { ContentBlock, NewSessionResponse } from '@parley/protocol';
import { asUpdate, type Fields } from '../messages/message.ts';
import { type Answer, requireResult } from './answer.ts';
import { awaitTurn } from './await-turn.ts';
import type { Probe, SentRequest } from './probe.ts';

/** A prompt that is under way. `answer` is the end of its turn, whichever message tells it. */
export interface StartedTurn extends SentRequest {
  /** The answer to the request itself. */
  readonly inserted: Promise<Answer>;
  /** Resolves when cancelling ends the turn: in version 2 a prompt that is not part of the conversation yet is withdrawn instead. */
  readonly begun: Promise<unknown>;
  /** How many frames there were before it. */
  readonly mark: number;
}

/** A prompt with its answer, and what the agent told about it. */
export interface Turn {
  readonly answer: Answer;
  readonly updates: readonly Fields[];
}

/** One session with the agent under test. */
export class Session {
  readonly probe: Probe;
  readonly id: string;
  readonly opened: NewSessionResponse;

  constructor(probe: Probe, opened: NewSessionResponse) {
    this.probe = probe;
    this.id = opened.sessionId;
    this.opened = opened;
  }

  begin(prompt: string | readonly ContentBlock[]): StartedTurn {
    const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    const mark = this.probe.trace.count;
    const options = { timeoutMs: this.probe.limits.turnMs };
    const { probe, id: sessionId } = this;
    const { id, answer: inserted } = probe.begin('session/prompt', { sessionId, prompt: blocks }, options);
    const begun = probe.words.version === 1 ? Promise.resolve() : inserted;
    return { id, inserted, begun, answer: awaitTurn(probe, { sessionId, inserted, mark }), mark };
  }

  async prompt(prompt: string | readonly ContentBlock[]): Promise<Turn> {
    const { answer, mark } = this.begin(prompt);
    return { answer: await answer, updates: this.updates(mark) };
  }

  cancel(): void {
    this.probe.notify('session/cancel', { sessionId: this.id });
  }

  /** The updates of this session after the first `count` frames. */
  updates(count = 0): readonly Fields[] {
    return this.probe.received(count).flatMap((frame) => {
      const update = asUpdate(frame);
      return update?.sessionId === this.id ? [update.update] : [];
    });
  }

  /** Waits until the session has told anything after the first `count` frames. */
  async awaitUpdate(count: number, timeoutMs: number): Promise<boolean> {
    const frame = await this.probe.waitFor((candidate) => asUpdate(candidate)?.sessionId === this.id, {
      since: count,
      timeoutMs,
    });
    return frame !== undefined;
  }
}

export interface NewSessionParams {
  readonly cwd: string;
  readonly [name: string]: unknown;
}

export function sendNewSession(probe: Probe, params: NewSessionParams): Promise<Answer> {
  return probe.request('session/new', { mcpServers: [], ...params }, { timeoutMs: probe.limits.startMs });
}

/** The session that an answer to `session/new` opened; fails if it opened none. */
export function requireSession(probe: Probe, answer: Answer): Session {
  return new Session(probe, requireResult(answer, 'session/new'));
}
