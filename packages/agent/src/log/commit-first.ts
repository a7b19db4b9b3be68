import { ParleyError } from '@parley/jsonrpc';
import { type SessionEvent, writeEvent } from '@parley/session';
import { GrowingChunk } from '@parley/session/log';
import type { NewEvent } from '@parley/store';
import { LogFailedError } from '../errors.ts';
import { createDeferred, type Deferred } from '../promises.ts';
import type { EventPipe, EventPipeOptions } from './event-pipe.ts';

/** The largest batch that is written at once, so that other sessions need not wait long for the disk. */
const MAX_BATCH_ENTRIES = 1024;

/** Texts of tens of kilobytes that wait to be stored before the caller is asked to wait too. */
const MAX_LONG_TEXTS = 32;

interface Cut {
  readonly atCut: (() => void) | undefined;
  readonly resolve: (head: number) => void;
  readonly reject: (error: unknown) => void;
}

interface Entry<Audience> {
  /** The entry for the log, where it is not the event that is shown. */
  readonly record?: NewEvent;
  /** The event that is shown once the log has it; a text may still grow until it is written. */
  readonly show?: SessionEvent | GrowingChunk;
  /** Whether the shown event is logged too. */
  readonly isLogged?: boolean;
  readonly audience?: Audience | undefined;
  readonly cut?: Cut;
}

/** An entry that no longer grows. */
interface EndedEntry<Audience> extends Entry<Audience> {
  readonly show?: SessionEvent;
}

/**
 * For a durable log: an event is shown only when it is on disk, so that nobody ever sees what a crash can take back.
 * While one batch is being written the next one collects, and pieces of text in it grow together.
 */
export class CommitFirstPipe<Audience> implements EventPipe<Audience> {
  readonly #options: EventPipeOptions<Audience>;
  #entries: Entry<Audience>[] = [];
  /** How many of them are texts that cannot grow any longer. */
  #longTexts = 0;
  #isWriting = false;
  /** Pending while a client reads too slowly. */
  #slowClient: Promise<void> | undefined;
  /** Pending while the log writes too slowly. */
  #slowLog: Deferred | undefined;

  constructor(options: EventPipeOptions<Audience>) {
    this.#options = options;
  }

  push(event: SessionEvent, audience?: Audience): void | Promise<void> {
    const last = this.#entries.at(-1);
    if (last?.show instanceof GrowingChunk && last.audience === audience && last.show.add(event))
      return this.#slowClient;
    if (last?.show instanceof GrowingChunk && last.show.isLong) this.#longTexts += 1;
    this.#add({ show: GrowingChunk.from(event) ?? this.#options.own(event), isLogged: true, audience });
    return this.#waitIfSlow();
  }

  pass(event: SessionEvent, audience?: Audience): void | Promise<void> {
    this.#add({ show: this.#options.own(event), audience });
    return this.#waitIfSlow();
  }

  record(entry: NewEvent, shown?: SessionEvent): void {
    this.#add(shown ? { record: entry, show: shown } : { record: entry });
  }

  cut(atCut?: () => void): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#add({ cut: { atCut, resolve, reject } });
    });
  }

  shown(): Promise<void> | undefined {
    if (!this.#isWriting) return undefined;
    return this.cut().then(
      () => {},
      () => {},
    );
  }

  place(): number {
    return this.#options.shown();
  }

  #add(entry: Entry<Audience>): void {
    const { maxWaitingEvents } = this.#options.limits;
    // What ends something has room of its own: a turn that said as much as may wait must still be able to end.
    const most = entry.show && endsSomething(entry.show) ? 2 * maxWaitingEvents : maxWaitingEvents;
    if (entry.show && this.#entries.length >= most) {
      throw new ParleyError('backlog_full', 'Too many updates wait to be stored; await turn.update before the next.');
    }
    this.#entries.push(entry);
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Events that the same piece of code emits next belong to the same batch.
    queueMicrotask(() => void this.#write());
  }

  async #write(): Promise<void> {
    while (this.#entries.length > 0) {
      const batch = this.#takeBatch().map(ended);
      const events = batch.flatMap(toNewEvents);
      let seq = 0;
      try {
        if (events.length > 0) seq = (await this.#options.append(events)).first;
      } catch (error) {
        this.#giveUp(batch, error);
        continue;
      }
      for (const entry of batch) {
        if (!isLogged(entry)) this.#release(entry, undefined);
        else {
          this.#options.onShow?.(seq);
          this.#release(entry, seq++);
        }
      }
    }
    this.#isWriting = false;
    this.#slowLog?.resolve();
    this.#slowLog = undefined;
  }

  /** The entries up to the first cut, if not too many: later entries must not be in the log when the cut is made. */
  #takeBatch(): Entry<Audience>[] {
    this.#longTexts = 0;
    const index = this.#entries.findIndex(({ cut }) => cut !== undefined);
    return this.#entries.splice(0, Math.min(index < 0 ? MAX_BATCH_ENTRIES : index + 1, MAX_BATCH_ENTRIES));
  }

  #release({ show, audience, cut }: EndedEntry<Audience>, seq: number | undefined): void {
    cut?.atCut?.();
    cut?.resolve(this.#options.shown());
    if (!show) return;
    const slow = this.#options.publish(show, seq, audience);
    if (!slow || this.#slowClient) return;
    this.#slowClient = slow.finally(() => {
      this.#slowClient = undefined;
    });
  }

  /** Entries behind a failed batch would leave a gap in the log, so they are dropped with it; later events start afresh. */
  #giveUp(batch: readonly Entry<Audience>[], error: unknown): void {
    const lost = [...batch, ...this.#entries];
    this.#entries = [];
    this.#longTexts = 0;
    this.#options.onFailure(error);
    for (const { cut } of lost) cut?.reject(new LogFailedError(error));
  }

  #waitIfSlow(): void | Promise<void> {
    const isBehind = this.#entries.length >= this.#options.limits.highWaterEvents || this.#longTexts >= MAX_LONG_TEXTS;
    if (!isBehind) return this.#slowClient;
    this.#slowLog ??= createDeferred();
    return this.#slowLog.promise;
  }
}

function ended<Audience>({ show, ...entry }: Entry<Audience>): EndedEntry<Audience> {
  if (show === undefined) return entry;
  return { ...entry, show: show instanceof GrowingChunk ? show.toEvent() : show };
}

function isLogged({ record, isLogged: isShownAndLogged }: EndedEntry<unknown>): boolean {
  return record !== undefined || isShownAndLogged === true;
}

function toNewEvents({ record, show, isLogged: isShownAndLogged }: EndedEntry<unknown>): NewEvent[] {
  if (record) return [record];
  return show && isShownAndLogged ? [writeEvent(show)] : [];
}

function endsSomething(event: SessionEvent | GrowingChunk): boolean {
  if (event instanceof GrowingChunk) return false;
  return event.type === 'state' || (event.type === 'tool_call' && ENDS.has(event.status));
}

const ENDS: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);
