import {
  applyEvent,
  createTranscript,
  emptied,
  mergeReplay,
  piecesOfWhole,
  type SessionEvent,
  type Transcript,
  type TranscriptEvent,
  type WholeMessage,
  type WholeThought,
} from '@parley/session';
import type { Clock } from '../clock.ts';

/**
 * The transcript of a session over its whole life. While the agent tells the conversation again, that is folded apart
 * from what we have; both are joined for whoever looks. Late pieces of a replay still count as such until the next prompt.
 */
export class LiveTranscript {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #known: Transcript = createTranscript();
  #replay: Transcript | undefined;
  #joined: Transcript | undefined;
  #isChanged = false;

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get current(): Transcript {
    if (!this.#replay) return this.#known;
    this.#joined ??= mergeReplay(this.#known, this.#replay);
    return this.#joined;
  }

  get isReplaying(): boolean {
    return (this.#replay ?? this.#known).isReplaying;
  }

  apply(event: TranscriptEvent): void {
    const now = this.#clock.now();
    if (this.#replay) this.#replay = applyEvent(this.#replay, event, now);
    else this.#known = applyEvent(this.#known, event, now);
    this.#joined = undefined;
    this.#tellLater();
  }

  /** What a whole message tells beyond what was told of it already. */
  piecesOf(event: WholeMessage | WholeThought): SessionEvent[] {
    return piecesOfWhole(this.#replay ?? this.#known, event);
  }

  startReplay(): void {
    this.settle();
    this.#replay = applyEvent(emptied(this.#known), { type: 'replay_started' });
    this.#tellLater();
  }

  endReplay(): void {
    if (this.#replay?.isReplaying) this.apply({ type: 'replay_ended' });
  }

  /** Takes the conversation out; what the session is set to stays. */
  clear(): void {
    this.settle();
    this.apply({ type: 'cleared' });
  }

  /** From now on everything is live. */
  settle(): void {
    this.#known = this.current;
    this.#replay = undefined;
    this.#joined = undefined;
  }

  /** Views hear of a whole chunk of updates at once. */
  #tellLater(): void {
    if (this.#isChanged) return;
    this.#isChanged = true;
    queueMicrotask(() => {
      this.#isChanged = false;
      this.#onChange();
    });
  }
}
