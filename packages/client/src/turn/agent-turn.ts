import type { ContentBlock } from '@parley/protocol';
import { type MessageChunk, promptMessageId, type SessionEvent, type StateEvent } from '@parley/session';

/**
 * The turn that our prompt began, as the agent tells of it to who asks for cursors: by this its end is known even when the
 * answer to the prompt is lost with the connection.
 */
export class AgentTurn {
  readonly #prompt: readonly ContentBlock[];
  readonly #hasPromptId: boolean;
  #id: string | undefined;
  #end: StateEvent | undefined;

  /** With the id of the prompt, which the agent takes for its turn; else the turn is known by when it begins. */
  constructor(prompt: readonly ContentBlock[], promptId: string | undefined) {
    this.#prompt = prompt;
    this.#hasPromptId = promptId !== undefined;
    this.#id = promptId;
  }

  /** The agent's id for it, once that is known. */
  get id(): string | undefined {
    return this.#id;
  }

  get end(): StateEvent | undefined {
    return this.#end;
  }

  /** Looks at an event that comes after the prompt was sent. True when it tells how this turn is doing, and nothing else. */
  see(event: SessionEvent): boolean {
    if (event.type === 'message_chunk') {
      // What has begun is the turn of another client if it begins with another prompt; then ours is still to come.
      if (event.speaker === 'user' && this.#isPrompt(event) && !this.#isOurs(event.content)) this.#id = undefined;
      return false;
    }
    if (event.type !== 'state' || event.turnId === undefined) return false;
    if (event.state === 'running') this.#id ??= event.turnId;
    if (event.turnId !== this.#id) return false;
    if (event.state === 'idle') this.#end ??= event;
    return true;
  }

  #isPrompt({ messageId }: MessageChunk): boolean {
    return !this.#hasPromptId && this.#id !== undefined && !this.#end && messageId === promptMessageId(this.#id);
  }

  /** Texts that follow each other may come as one. */
  #isOurs(content: ContentBlock): boolean {
    if (content.type !== 'text') return this.#prompt.some(({ type }) => type === content.type);
    const text = this.#prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return text.includes(content.text);
  }
}
