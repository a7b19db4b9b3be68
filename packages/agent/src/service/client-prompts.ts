import type { ClientPeer } from '../contract/client-peer.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { PromptOptions } from '../session/prompt-options.ts';
import { runPrompt } from '../session/run-prompt.ts';
import type { Prompt } from '../turn/prompt.ts';
import type { TurnOutcome } from '../turn/run-turn.ts';

export interface ClientPromptsOptions {
  readonly peer: ClientPeer;
  /** What others see of who it is. */
  readonly name: () => string;
  /** What becomes of its turns when it is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
}

/** The prompts of one client, of which some may have to wait. */
export class ClientPrompts {
  readonly #options: ClientPromptsOptions;
  /** Those that may have to wait, by how they are cancelled: the session of each. */
  readonly #waiting = new Map<AbortController, string>();

  constructor(options: ClientPromptsOptions) {
    this.#options = options;
  }

  /** Begins before it first waits, so that what follows on the wire finds the turn running. */
  run(
    session: LiveSession,
    prompt: Prompt,
    options: Pick<PromptOptions, 'signal' | 'whenBusy' | 'onInserted'>,
  ): Promise<TurnOutcome> {
    const { peer, name, whenClientLeaves } = this.#options;
    const asked = { ...options, peer, by: name(), whenClientLeaves };
    const isPlain = prompt.promptId === undefined && options.whenBusy === 'refuse';
    if (isPlain) return runPrompt(session, prompt, { ...asked, cancelled: NEVER });
    const waiting = new AbortController();
    this.#waiting.set(waiting, session.id);
    const onInserted = (promptId: string, turnId: string): void => {
      // What another turn has taken waits no longer: whoever cancels now means that turn.
      if (promptId !== turnId) this.#waiting.delete(waiting);
      options.onInserted?.(promptId, turnId);
    };
    const running = runPrompt(session, prompt, { ...asked, onInserted, cancelled: waiting.signal });
    return running.finally(() => this.#waiting.delete(waiting));
  }

  /** Drops the prompts that wait in a session; false when none may have waited there. */
  cancel(sessionId: string): boolean {
    const waiting = [...this.#waiting].flatMap(([each, id]) => (id === sessionId ? [each] : []));
    for (const each of waiting) each.abort();
    return waiting.length > 0;
  }
}

const NEVER: AbortSignal = new AbortController().signal;
