import type { ClientPeer } from '../contract/client-peer.ts';

/** A prompt in the log that a client of this process asked for. */
interface AskedPrompt {
  readonly peer: ClientPeer;
  /** Its own turn, or the one that has taken it. */
  turnId: string;
  /** `withdrawn`: this process does not run it any more. */
  state: 'wanted' | 'withdrawn';
}

/** The prompts in the log that clients of this process asked for, until their turns have ended. */
export class AskedPrompts {
  readonly #prompts = new Map<string, AskedPrompt>();
  readonly #onEmpty = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#prompts.size === 0;
  }

  /** Resolves when the turns of all of them have ended. */
  async whenEmpty(): Promise<void> {
    if (!this.isEmpty) await new Promise<void>((resolve) => this.#onEmpty.add(resolve));
  }

  /** A client here has asked for a prompt through the log. Returns the function that withdraws it. */
  add(promptId: string, peer: ClientPeer): () => void {
    const asked: AskedPrompt = { peer, turnId: promptId, state: 'wanted' };
    this.#prompts.set(promptId, asked);
    return () => {
      asked.state = 'withdrawn';
    };
  }

  /** Drops a prompt whose turn has ended or whose client has left. */
  remove(promptId: string): void {
    if (!this.#prompts.delete(promptId) || !this.isEmpty) return;
    for (const resolve of this.#onEmpty) resolve();
    this.#onEmpty.clear();
  }

  /** A turn has taken a prompt. */
  join(promptId: string, turnId: string): void {
    const asked = this.#prompts.get(promptId);
    if (asked) asked.turnId = turnId;
  }

  /** The client that asked for a prompt. */
  peerOf(promptId: string): ClientPeer | undefined {
    return this.#prompts.get(promptId)?.peer;
  }

  isWanted(promptId: string): boolean {
    return this.#prompts.get(promptId)?.state === 'wanted';
  }

  /** Whether a client has asked for a prompt that a turn runs or has taken. */
  isFor(peer: ClientPeer, turnId: string): boolean {
    return [...this.#prompts.values()].some((asked) => asked.peer === peer && asked.turnId === turnId);
  }
}
