import type { ContentBlock } from '@parley/protocol';
import {
  type MessageChunk,
  promptMessageId,
  type SessionEvent,
  type StateEvent,
  type WholeMessage,
} from '@parley/session';

/** Where the events and the end of a watched turn go. */
export interface PromptWatchOutlet {
  onEvent(event: SessionEvent, cursor?: number): void;
  /** The session is idle, and that is the end of the turn that our prompt began. */
  onEnd(promptId: string, idle: StateEvent): void;
}

type UserMessage = (MessageChunk | WholeMessage) & { readonly speaker: 'user' };

/** Our prompt, from its sending to the end of its turn. */
interface OwnTurn {
  readonly promptId: string;
  readonly prompt: readonly ContentBlock[];
  /** The session was at work on something else when the prompt was sent, and has not been idle since. */
  isBehind: boolean;
  /** The session has been at work since the prompt was sent, and not on what it worked on before. */
  hasWorked: boolean;
  isAnswered: boolean;
  /** The name that the agent gave our message, once it was inserted. */
  messageId: string | undefined;
  isEchoed: boolean;
  /** An idle state that came before the answer, and may be the end of this turn. */
  early: EarlyIdle | undefined;
  /** What users said before the answer came: it may be our own prompt. */
  held: { readonly event: UserMessage; readonly cursor: number | undefined }[];
}

interface EarlyIdle {
  readonly idle: StateEvent;
  readonly cursor: number | undefined;
  /** It ended what the session had worked on before; our turn only if our prompt was part of that by then. */
  readonly isEarlierWork: boolean;
}

/** User messages that are held back at a time; more are shown. */
const MAX_HELD = 1000;

/**
 * Tells which of what a version 2 session does is the turn of our prompt. Version 2 answers a prompt when it is inserted; the
 * turn ends with an idle state, which names no turn, and is told again whenever the agent likes. Others may prompt the same
 * session, and the agent may begin to work by itself.
 */
export class PromptWatch {
  readonly #outlet: PromptWatchOutlet;
  #isBusy = false;
  #own: OwnTurn | undefined;

  constructor(outlet: PromptWatchOutlet) {
    this.#outlet = outlet;
  }

  /** A prompt of ours is sent. */
  sent(promptId: string, prompt: readonly ContentBlock[]): void {
    this.#own = {
      promptId,
      prompt,
      isBehind: this.#isBusy,
      hasWorked: false,
      isAnswered: false,
      messageId: undefined,
      isEchoed: false,
      early: undefined,
      held: [],
    };
  }

  /** The prompt was inserted; `messageId` where the agent named it. */
  answered(promptId: string, messageId: string | undefined): void {
    const own = this.#own;
    if (own?.promptId !== promptId) return;
    own.isAnswered = true;
    own.messageId = messageId;
    own.hasWorked ||= this.#isBusy;
    const { held, early, prompt } = own;
    own.held = [];
    // The transcript has the prompt already; by this it learns its name.
    if (messageId !== undefined)
      this.#outlet.onEvent({ type: 'whole_message', speaker: 'user', messageId, content: prompt });
    for (const { event, cursor } of held) this.seeUserMessage(event, cursor);
    own.early = undefined;
    if (!early) return;
    const wasPart = !early.isEarlierWork || held.some(({ event }) => event.messageId === messageId);
    if (wasPart) own.hasWorked = true;
    if (wasPart && isEndOf(own, early.idle)) this.#end(own, early.idle, early.cursor);
    else this.#outlet.onEvent(early.idle, early.cursor);
  }

  /** The prompt was not inserted, or nobody waits for its turn any more. */
  forget(promptId: string): void {
    const own = this.#own;
    if (own?.promptId !== promptId) return;
    this.#own = undefined;
    for (const { event, cursor } of own.held) this.#outlet.onEvent(event, cursor);
    if (own.early) this.#outlet.onEvent(own.early.idle, own.early.cursor);
  }

  seeState(event: StateEvent, cursor?: number): void {
    const own = this.#own;
    this.#isBusy = event.state !== 'idle';
    if (!own) return this.#outlet.onEvent(event, cursor);
    if (event.state !== 'idle') {
      // Whatever ended before this was not our turn, which has not been idle since it was inserted.
      const { early } = own;
      own.early = undefined;
      if (early) this.#outlet.onEvent(early.idle, early.cursor);
      own.hasWorked ||= !own.isBehind || own.isAnswered;
      return this.#outlet.onEvent(event, cursor);
    }
    if (own.isAnswered && isEndOf(own, event)) return this.#end(own, event, cursor);
    const { isBehind } = own;
    own.isBehind = false;
    if (own.isAnswered || !(own.hasWorked || (isBehind && own.held.length > 0)))
      return this.#outlet.onEvent(event, cursor);
    own.early = { idle: event, cursor, isEarlierWork: isBehind };
  }

  seeUserMessage(event: UserMessage, cursor?: number): void {
    const own = this.#own;
    if (!own) return this.#outlet.onEvent(event, cursor);
    if (!own.isAnswered) {
      if (own.held.length >= MAX_HELD || !mayBe(own, event)) return this.#outlet.onEvent(event, cursor);
      own.held.push({ event, cursor });
      return;
    }
    if (own.messageId === undefined || event.messageId !== own.messageId) return this.#outlet.onEvent(event, cursor);
    if (event.type === 'message_chunk') return;
    // The first time it is our own prompt that comes back; whatever comes later is a change of it.
    const isEcho = !own.isEchoed;
    own.isEchoed = true;
    const { content: _, ...withoutContent } = event;
    if (!isEcho) this.#outlet.onEvent(event, cursor);
    else if (event.meta !== undefined) this.#outlet.onEvent(withoutContent, cursor);
  }

  #end(own: OwnTurn, idle: StateEvent, cursor: number | undefined): void {
    this.#own = undefined;
    // Who goes on after a lost connection knows its turn by the agent's name for it.
    if (idle.turnId !== undefined) this.#outlet.onEvent(idle, cursor);
    this.#outlet.onEnd(own.promptId, idle);
  }
}

/** Where the agent names the turn, that decides; else the session must have worked, or say why it stopped. */
function isEndOf({ hasWorked, messageId }: OwnTurn, { turnId, stopReason }: StateEvent): boolean {
  if (turnId !== undefined && messageId !== undefined) return promptMessageId(turnId) === messageId;
  return hasWorked || stopReason !== undefined;
}

/**
 * Whether a user's message may be our prompt. In a session that is at work our prompt may wait for long, and what others say
 * meanwhile is shown unless it could be the same.
 */
function mayBe({ isBehind, prompt, held }: OwnTurn, event: UserMessage): boolean {
  if (!isBehind || held.some((each) => each.event.messageId === event.messageId)) return true;
  const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const content = event.type === 'message_chunk' ? [event.content] : (event.content ?? []);
  return content.every((block) =>
    block.type === 'text' ? text.includes(block.text) : prompt.some(({ type }) => type === block.type),
  );
}

/** Whether an event is something that a user says. */
export function isUserMessage(event: SessionEvent): event is UserMessage {
  return (event.type === 'message_chunk' || event.type === 'whole_message') && event.speaker === 'user';
}
