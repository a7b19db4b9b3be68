import { ConnectionClosedError } from '@parley/jsonrpc';
import type { Answer, ClientOffers, NoticeEvent, OutputEntry, Question } from '@parley/session';
import type { SharedLog } from '@parley/session/log';
import type { ClientPeer } from '../contract/client-peer.ts';
import { TurnAbortError } from '../errors.ts';

export interface QuestionsOptions {
  readonly sessionId: string;
  /** Puts what became of a question into the session's log. */
  readonly record: (entry: OutputEntry) => void;
  /** The clients that have the session open and are asked what a turn asks. */
  readonly peers: (turnId: string) => readonly ClientPeer[];
  /** Resolves when a client has seen everything that was told before; undefined when it has. */
  readonly whenSeen: (peer: ClientPeer) => Promise<void> | undefined;
  /** The log through which other processes ask, and are answered; undefined when none can have the session. */
  readonly shared: SharedLog | undefined;
  /** An answer did not reach the log. */
  readonly onFault: (error: unknown) => void;
  /** The others hear who has answered. */
  readonly onAnswered: (notice: NoticeEvent, by: ClientPeer | undefined) => void;
}

export interface AskOptions {
  readonly turnId: string;
  /** Aborting withdraws the question. */
  readonly signal: AbortSignal;
  /** Withdraws the question when nobody has answered by then. */
  readonly timeoutMs?: number | undefined;
}

/** Nobody answered in time. */
export const TIMED_OUT: unique symbol = Symbol('timed out');

interface OpenQuestion {
  readonly question: Question;
  readonly turnId: string;
  /** The clients that are asked, and how to withdraw the question from each. */
  readonly asked: Map<ClientPeer, AbortController>;
  /** Undefined for a question of another process. */
  readonly settle: ((answer: Answer, by: ClientPeer | string) => void) | undefined;
  /** None of the clients that were asked will answer. */
  readonly giveUp: ((answer: Answer | undefined, error: unknown) => void) | undefined;
}

/**
 * What a session has asked and nobody has answered. Every client that has the session open is asked, also one that comes later;
 * the first answer counts, and the question is then withdrawn from the others.
 */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** The answer that counts. Rejects with the signal's reason, or with the error of the only client that could be asked. */
  ask(question: Question, options: AskOptions): Promise<Answer | typeof TIMED_OUT> {
    const { signal, turnId, timeoutMs } = options;
    const { questionId } = question;
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (reason?: unknown): boolean => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        return this.#withdraw(questionId, reason);
      };
      const withdraw = (reason?: unknown): void => {
        if (end(reason)) this.#options.record({ type: 'question_withdrawn', questionId });
      };
      const onAbort = (): void => {
        withdraw(signal.reason);
        reject(signal.reason);
      };
      const answered = (answer: Answer, by: ClientPeer | string): void => {
        if (!end()) return;
        this.#options.record({ type: 'question_answered', questionId, answer, by: nameOf(by) });
        this.#options.onAnswered(noticeOf(question, answer, nameOf(by)), typeof by === 'string' ? undefined : by);
        resolve(answer);
      };
      if (signal.aborted) return reject(signal.reason);
      const open: OpenQuestion = {
        question,
        turnId,
        asked: new Map(),
        settle: answered,
        giveUp: (answer, error) => {
          if (answer) return answered(answer, 'nobody');
          withdraw();
          reject(error);
        },
      };
      this.#open.set(questionId, open);
      signal.addEventListener('abort', onAbort);
      if (timeoutMs !== undefined) {
        timer = setTimeout(() => {
          withdraw();
          resolve(TIMED_OUT);
        }, timeoutMs);
      }
      this.#options.record({ type: 'question_asked', turnId, question });
      for (const peer of this.#options.peers(turnId)) void this.#askPeer(open, peer);
    });
  }

  /** Whether a question of this process or another one waits for an answer. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** False when the question is no longer open: somebody else was first. */
  answer(questionId: string, answer: Answer, by: ClientPeer | string): boolean {
    const settle = this.#open.get(questionId)?.settle;
    settle?.(answer, by);
    return settle !== undefined;
  }

  /** Asks a client that has just opened the session what is still open, in whichever process. */
  async askAll(peer: ClientPeer): Promise<void> {
    const { shared, peers } = this.#options;
    if (shared && !shared.isOwned) {
      for (const { question, turnId } of (await shared.readProgress()).questions) this.addForeign(question, turnId);
    }
    for (const open of this.#open.values()) if (peers(open.turnId).includes(peer)) void this.#askPeer(open, peer);
  }

  /** A client has left: it is asked nothing any more, and what it was asked waits for others. */
  leave(peer: ClientPeer): void {
    for (const { asked } of this.#open.values()) {
      asked.get(peer)?.abort();
      asked.delete(peer);
    }
  }

  /** Another process, which owns the session, asks something: clients here may answer it. */
  addForeign(question: Question, turnId: string): void {
    if (this.#open.has(question.questionId)) return;
    const open: OpenQuestion = { question, turnId, asked: new Map(), settle: undefined, giveUp: undefined };
    this.#open.set(question.questionId, open);
    for (const peer of this.#options.peers(turnId)) void this.#askPeer(open, peer);
  }

  /** A question of another process was answered or withdrawn. */
  removeForeign(questionId: string, reason?: unknown): void {
    if (this.#open.get(questionId)?.settle === undefined) this.#withdraw(questionId, reason);
  }

  /** The turn of another process has ended. */
  removeAllForeign(): void {
    const reason = new TurnAbortError('turn_ended', 'The turn has ended.');
    for (const questionId of [...this.#open.keys()]) this.removeForeign(questionId, reason);
  }

  /** `reason` tells the clients' peers why nobody needs an answer any more. */
  #withdraw(questionId: string, reason: unknown): boolean {
    const open = this.#open.get(questionId);
    if (!open) return false;
    this.#open.delete(questionId);
    for (const controller of open.asked.values()) controller.abort(reason);
    return true;
  }

  async #askPeer(open: OpenQuestion, peer: ClientPeer): Promise<void> {
    const { question, asked } = open;
    const { sessionId, whenSeen } = this.#options;
    if (asked.has(peer) || !canAnswer(peer.offers, question)) return;
    const controller = new AbortController();
    const { signal } = controller;
    asked.set(peer, controller);
    try {
      // A permission request is sent only after its tool call was published.
      await whenSeen(peer);
      if (signal.aborted) return;
      const answer = await peer.ask(sessionId, question, { signal });
      if (signal.aborted) return;
      asked.delete(peer);
      if (!isChoice(answer)) return this.#refused(open, answer, undefined);
      if (open.settle) open.settle(answer, peer);
      else this.#answerElsewhere(question.questionId, answer, nameOf(peer));
    } catch (error) {
      if (signal.aborted) return;
      asked.delete(peer);
      // The client is gone; another may come.
      if (!(error instanceof ConnectionClosedError)) this.#refused(open, undefined, error);
    }
  }

  #answerElsewhere(questionId: string, answer: Answer, by: string): void {
    const { shared, onFault } = this.#options;
    shared?.submit({ type: 'answer', questionId, answer, by }).catch(onFault);
  }

  /** A client does not answer. While another one may, that is no answer yet. */
  #refused(open: OpenQuestion, answer: Answer | undefined, error: unknown): void {
    if (open.asked.size === 0 && this.#open.has(open.question.questionId)) open.giveUp?.(answer, error);
  }
}

/** Whether an answer says something; all else means that the person did not choose. */
function isChoice(answer: Answer): boolean {
  return answer.type === 'permission' ? answer.optionId !== undefined : answer.action !== 'cancel';
}

export function canAnswer({ elicitForm, elicitUrl }: ClientOffers, { type }: Question): boolean {
  return type === 'permission' || (type === 'form' ? elicitForm : elicitUrl);
}

/** What the other clients hear. */
function noticeOf(question: Question, answer: Answer, by: string): NoticeEvent {
  const chosen =
    question.type === 'permission' && answer.type === 'permission'
      ? (question.options.find(({ optionId }) => optionId === answer.optionId)?.name ?? 'cancelled')
      : answer.type === 'form'
        ? answer.action
        : 'cancelled';
  return { type: 'notice', severity: 'info', title: `Answered by ${by}: ${chosen}` };
}

function nameOf(by: ClientPeer | string): string {
  return typeof by === 'string' ? by : (by.info?.title ?? by.info?.name ?? 'a client');
}
