import {
  kindOf,
  type MessageEntry,
  type MessageKind,
  summarize,
  type TraceEntry,
  type Verdict,
  type WaitsOn,
} from '@parley/session/traces';
import type { Matched, RowStatus } from '../filter/filter.ts';

/** A row of the table: one entry, or a run of chunks. */
export class Row implements Matched {
  /** Counts from 1. */
  readonly number: number;
  readonly kind: MessageKind | 'noise' | 'stderr';
  /** The method; for an answer, that of its request. */
  method = '';
  sessionId: string;
  /** Bytes of all entries as JSON, about. */
  size = 0;
  /** The request of an answer, or the answer to a request. */
  pair: Row | undefined;
  durationMs: number | undefined;
  waitsOn: WaitsOn | undefined;
  /** Undefined as long as nobody has judged it. */
  verdict: Verdict | undefined;
  /** The run that it is one chunk of, for a row that shows one. */
  readonly run: Row | undefined;
  /** As they are shown, without secrets; more than one for a run of chunks. */
  readonly entries: TraceEntry[];
  /** With what was taken out, where something was. */
  readonly originals: (TraceEntry | undefined)[] = [];
  #summary: string | undefined;

  constructor(number: number, entry: TraceEntry, run?: Row) {
    this.number = number;
    this.entries = [entry];
    this.kind = entry.kind === 'message' ? kindOf(entry.message) : entry.kind;
    this.sessionId = entry.sessionId ?? '';
    this.run = run;
  }

  get entry(): TraceEntry {
    return this.entries[0] as TraceEntry;
  }

  get message(): MessageEntry['message'] | undefined {
    return this.entry.kind === 'message' ? this.entry.message : undefined;
  }

  get timeMs(): number {
    return this.entry.timeMs;
  }

  get endMs(): number {
    return this.entries.at(-1)?.timeMs ?? this.timeMs;
  }

  get count(): number {
    return this.entries.length;
  }

  get direction(): 'in' | 'out' {
    return this.entry.kind === 'stderr' ? 'in' : this.entry.direction;
  }

  get id(): string {
    return this.message && 'id' in this.message ? String(this.message.id) : '';
  }

  get agent(): string {
    return this.entry.agent ?? '';
  }

  get side(): string {
    return this.entry.side ?? '';
  }

  get connection(): string {
    return this.entry.connection ?? '';
  }

  get summary(): string {
    this.#summary ??= this.message ? summarize(this.message) : 'text' in this.entry ? this.entry.text.trim() : '';
    return this.#summary;
  }

  get status(): RowStatus {
    if (this.kind === 'noise') return 'noise';
    if (this.verdict?.status === 'invalid') return 'invalid';
    if (this.kind === 'error' || this.pair?.kind === 'error') return 'error';
    return this.kind === 'request' && !this.pair ? 'open' : 'ok';
  }

  readonly text = (): string =>
    this.entries.map((entry) => (entry.kind === 'message' ? JSON.stringify(entry.message) : entry.text)).join('\n');
}
