import { errorOfKind } from '@parley/protocol';
import { queuedPrompts } from '@parley/session';
import type { SharedLog } from '@parley/session/log';
import type { ClientPeer } from '../contract/client-peer.ts';
import { createDeferred } from '../promises.ts';
import type { IdentifiedPrompt, Prompt } from '../turn/prompt.ts';
import type { TurnInProgress } from '../turn/turn-session.ts';

/** Prompts of one session that may wait in memory. */
const MAX_WAITING = 1000;

/** A prompt that the turn that runs takes. */
export interface TakenPrompt {
  readonly promptId: string;
  readonly content: Prompt['content'];
  readonly meta: Prompt['meta'];
  /** Its number in the log; 0 where it is in memory alone. */
  readonly seq: number;
}

/** What became of a prompt: a turn took it, or it is the turn; undefined when it was withdrawn. */
export type PromptFate = { readonly turn: TurnInProgress; readonly isTaken: boolean } | undefined;

/** A prompt that waits in this process. */
export interface WaitingPrompt extends TakenPrompt {
  /** The turn that runs may take it; else it only waits for its own. */
  readonly steers: boolean;
  readonly asker: ClientPeer;
  readonly fate: Promise<PromptFate>;
  readonly settle: (fate: PromptFate) => void;
}

/** The prompts that wait in a session, and of those the ones for the turn that runs: in the log, where it is shared, or else in memory. */
export class WaitingPrompts {
  readonly #shared: SharedLog | undefined;
  #waiting: WaitingPrompt[] = [];
  /** Those that the turn has taken, by their ids; the log may not have that yet. */
  readonly #taken = new Map<string, TurnInProgress>();
  /** The ids of those that the turn may not take any more; the log may not have that yet either. */
  readonly #refused = new Set<string>();

  constructor(shared: SharedLog | undefined) {
    this.#shared = shared;
  }

  add({ content, meta, promptId }: IdentifiedPrompt, asker: ClientPeer, steers: boolean): WaitingPrompt {
    if (this.#waiting.length >= MAX_WAITING)
      throw errorOfKind('busy', { message: `${MAX_WAITING} prompts wait in this session; wait for one of them.` });
    const { promise: fate, resolve: settle } = createDeferred<PromptFate>();
    const waiting = { promptId, content, meta, asker, steers, seq: 0, fate, settle };
    this.#waiting.push(waiting);
    return waiting;
  }

  find(promptId: string): WaitingPrompt | undefined {
    return this.#waiting.find((each) => each.promptId === promptId);
  }

  /** The turn that has taken a prompt, while it runs. */
  takenBy(promptId: string): TurnInProgress | undefined {
    return this.#taken.get(promptId);
  }

  /** Nobody wants it to be said any more; nothing happens to one that is taken. */
  withdraw(waiting: WaitingPrompt): void {
    const place = this.#waiting.indexOf(waiting);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    waiting.settle(undefined);
  }

  /** As `withdraw`, of one that is in the log, or about to be. */
  refuse(promptId: string): void {
    this.#refused.add(promptId);
  }

  withdrawAll(): void {
    for (const waiting of this.#waiting.splice(0)) waiting.settle(undefined);
  }

  /** All that are for the turn that runs, oldest first; they are part of it from now on. A command waits for a turn of its own. */
  take(turn: TurnInProgress, isCommand: (content: Prompt['content']) => boolean): readonly TakenPrompt[] {
    const taken = this.offered(turn, isCommand);
    if (!this.#shared) this.#waiting = this.#waiting.filter((each) => !taken.includes(each));
    for (const each of taken) this.#taken.set(each.promptId, turn);
    for (const { settle } of taken as readonly Partial<WaitingPrompt>[]) settle?.({ turn, isTaken: true });
    return taken;
  }

  /** Those that `take` would take now. */
  offered(turn: TurnInProgress, isCommand: (content: Prompt['content']) => boolean): readonly TakenPrompt[] {
    const waiting = this.#shared ? this.#inLog(turn) : this.#waiting.filter(({ steers }) => steers);
    return waiting.filter(({ content }) => !isCommand(content));
  }

  /** The turn has ended. */
  forgetTaken(): void {
    this.#taken.clear();
    this.#refused.clear();
  }

  /** The oldest one in memory, which is to be a turn by itself. */
  shift(): WaitingPrompt | undefined {
    return this.#waiting.shift();
  }

  #inLog(turn: TurnInProgress): TakenPrompt[] {
    return queuedPrompts(this.#shared?.progress).flatMap(({ seq, input: { promptId, content, meta, steers } }) =>
      !steers || promptId === turn.id || this.#taken.has(promptId) || this.#refused.has(promptId)
        ? []
        : [{ promptId, content, meta: meta ?? undefined, seq }],
    );
  }
}
