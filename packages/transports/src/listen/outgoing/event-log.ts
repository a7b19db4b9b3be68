import { encodeSseEvent } from '../../network/sse-encoder.ts';

export interface EventLogLimits {
  readonly replayBytes: number;
  readonly replayMessages: number;
}

/** From this many forgotten events on, the list is cut. */
const MIN_CUT = 1024;

/**
 * The events of one stream by their numbers, from 1: those that wait to be sent, and before them the last ones that were
 * sent, in case the stream is cut and goes on elsewhere.
 */
export class EventLog {
  readonly #limits: EventLogLimits;
  /** The events from `#first` on; `#forgotten` places at the start are empty. */
  #events: string[] = [];
  #forgotten = 0;
  #first = 1;
  #nextToSend = 1;
  #sentBytes = 0;
  #unsentBytes = 0;

  constructor(limits: EventLogLimits) {
    this.#limits = limits;
  }

  /** The number of the last event that was sent; 0 before the first. */
  get lastSent(): number {
    return this.#nextToSend - 1;
  }

  get lastAdded(): number {
    return this.#first + this.#events.length - this.#forgotten - 1;
  }

  get unsentMessages(): number {
    return this.lastAdded - this.lastSent;
  }

  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  add(json: string): void {
    const event = encodeSseEvent({ data: json, id: String(this.lastAdded + 1) });
    this.#events.push(event);
    this.#unsentBytes += event.length;
  }

  /** The next events as one text of about so many characters, which then count as sent; empty when there are none. */
  take(characters: number): string {
    let text = '';
    while (text.length < characters && this.#nextToSend <= this.lastAdded) {
      const event = this.#at(this.#nextToSend);
      // A large event goes alone, so that it can be cut into pieces.
      if (text !== '' && text.length + event.length > characters) break;
      text += event;
      this.#nextToSend += 1;
      this.#unsentBytes -= event.length;
      this.#sentBytes += event.length;
    }
    this.#forget();
    return text;
  }

  /** Goes back to right after this event. False when it is not one of those that are known. */
  rewind(lastRead: number): boolean {
    if (lastRead < this.#first - 1 || lastRead > this.lastSent) return false;
    while (this.#nextToSend > lastRead + 1) {
      this.#nextToSend -= 1;
      const { length } = this.#at(this.#nextToSend);
      this.#unsentBytes += length;
      this.#sentBytes -= length;
    }
    return true;
  }

  #at(number: number): string {
    return this.#events[number - this.#first + this.#forgotten] ?? '';
  }

  /** The very last one that was sent is always kept: it may be the one that was under way. */
  #forget(): void {
    const { replayBytes, replayMessages } = this.#limits;
    while (
      this.#first < this.lastSent &&
      (this.#sentBytes > replayBytes || this.#nextToSend - this.#first > replayMessages)
    ) {
      this.#sentBytes -= this.#at(this.#first).length;
      this.#events[this.#forgotten] = '';
      this.#first += 1;
      this.#forgotten += 1;
    }
    if (this.#forgotten < MIN_CUT || this.#forgotten * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#forgotten);
    this.#forgotten = 0;
  }
}
