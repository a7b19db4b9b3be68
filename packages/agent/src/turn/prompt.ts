import type { ContentBlock } from '@parley/protocol';
import type { Meta } from '../contract/session.ts';

/** A prompt of a client, before it has a turn. */
export interface Prompt {
  readonly content: readonly ContentBlock[];
  readonly meta?: Meta | undefined;
  /**
   * The id that the client gave it: it runs once, however often it is sent. The turn that it begins has the same id. Default: a
   * new one.
   */
  readonly promptId?: string | undefined;
  /** It was meant for a turn that ran: by hearing of it, who sent it knows that it is a turn by itself. */
  readonly isSteered?: boolean | undefined;
}

/** A prompt that is known by its id. */
export type IdentifiedPrompt = Prompt & { readonly promptId: string };

export function hasPromptId(prompt: Prompt): prompt is IdentifiedPrompt {
  return prompt.promptId !== undefined;
}

export function createPromptId(): string {
  return crypto.randomUUID().slice(0, 13);
}
