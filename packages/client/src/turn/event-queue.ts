export interface EventQueueOptions<Event> {
  readonly maxEvents: number;
  /** Two neighbours as one, where nothing is lost by it; else undefined. */
  readonly merge: (last: Event, next: Event) => Event | undefined;
  /** Stands for events that were left out. */
  readonly gap: (skipped: number) => Event;
}

/** Events on their way to one reader who may be slow, or may never come. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #options: EventQueueOptions<Event>;
  #events: Event[] = [];
  #skipped = 0;
  #end: { readonly error?: unknown } | undefined;
  #isRead = false;
  #wake: (() => void) | undefined;

  constructor(options: EventQueueOptions<Event>) {
    this.#options = options;
  }

  push(event: Event): void {
    if (this.#end) return;
    const last = this.#events.at(-1);
    const merged = last === undefined ? undefined : this.#options.merge(last, event);
    if (merged !== undefined) this.#events[this.#events.length - 1] = merged;
    else if (this.#events.length < this.#options.maxEvents) this.#events.push(event);
    else this.#skipped += 1;
    this.#wake?.();
  }

  end(): void {
    this.#finish({});
  }

  fail(error: unknown): void {
    this.#finish({ error });
  }

  /** One reader only: events that one has taken are gone for another. */
  async *[Symbol.asyncIterator](): AsyncIterableIterator<Event> {
    if (this.#isRead)
      throw new Error('The events of a turn can be read once; use session.on("event") for a second reader.');
    this.#isRead = true;
    for (;;) {
      while (this.#hasEvents) yield* this.#take();
      // Nothing may be awaited between this look and the wait, or an event in between would not wake us.
      if (this.#end) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    if ('error' in this.#end) throw this.#end.error;
  }

  get #hasEvents(): boolean {
    return this.#events.length > 0 || this.#skipped > 0;
  }

  #take(): Event[] {
    const events = this.#events;
    this.#events = [];
    if (this.#skipped > 0) events.push(this.#options.gap(this.#skipped));
    this.#skipped = 0;
    return events;
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }
}
