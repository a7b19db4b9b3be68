import {
  type ChunkRuns,
  createChunkRuns,
  createPairing,
  type MessageEntry,
  type Pairing,
  sessionOf,
  type TraceEntry,
  updateVariant,
  waitsOn,
} from '@parley/session/traces';
import { type Filter, parseFilter } from '../filter/filter.ts';
import { Row } from './row.ts';

/** Most rows that are kept; of more, the oldest are forgotten. */
export const MAX_ROWS = 100_000;
/** How many are forgotten at once. */
const FORGOTTEN_ROWS = 10_000;

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Everything that was seen, as rows; and those of them that are shown. */
export class RowList {
  all: Row[] = [];
  shown: Row[] = [];
  forgotten = 0;
  #filter: Filter = parseFilter('');
  #range: Range | undefined;
  #pairing: Pairing<Row> = createPairing();
  #runs: ChunkRuns<Row> = createChunkRuns();
  readonly #expanded = new Set<Row>();
  /** Answers know which version they are judged by only when they are judged in their order. */
  #hasChangedOrder = false;
  #next = 1;

  get startMs(): number {
    return this.all[0]?.timeMs ?? 0;
  }

  get endMs(): number {
    return this.all.reduce((latest, row) => Math.max(latest, row.endMs), 0);
  }

  /** Adds an entry; `original` is the same with its secrets, where it has some. Returns the row that it is in. */
  add(entry: TraceEntry, original?: TraceEntry): Row {
    const run = entry.kind === 'message' ? this.#runs.take(entry) : undefined;
    if (run) {
      run.entries.push(entry);
      run.originals.push(original);
      run.size += sizeOf(entry);
      if (this.#expanded.has(run)) this.#hasChangedOrder = true;
      return run;
    }
    const row = new Row(this.#next, entry);
    this.#next += 1;
    row.originals.push(original);
    row.size = sizeOf(entry);
    if (entry.kind === 'message') this.#connect(row, entry);
    this.all.push(row);
    if (this.#isShown(row)) this.shown.push(row);
    if (this.all.length > MAX_ROWS) this.#forget();
    return row;
  }

  /** Something about a row is known now that was not: it may be shown by it. */
  touch(row: Row): void {
    if (!this.#isShown(row)) return;
    const at = this.#placeOf(row);
    if (this.shown[at] !== row) this.shown.splice(at, 0, row);
  }

  clear(): void {
    this.all = [];
    this.forgotten = 0;
    this.#next = 1;
    this.#pairing = createPairing();
    this.#runs = createChunkRuns();
    this.#expanded.clear();
    this.#show();
  }

  setFilter(filter: Filter, range: Range | undefined): void {
    this.#filter = filter;
    this.#range = range;
    this.#show();
  }

  isExpanded(row: Row): boolean {
    return this.#expanded.has(row);
  }

  toggle(row: Row): void {
    if (!this.#expanded.delete(row)) this.#expanded.add(row);
    this.#show();
  }

  /** Draws rows of runs that have grown; cheap when there are none. */
  settle(): void {
    if (this.#hasChangedOrder) this.#show();
  }

  /** Where a row stands among those that are shown, or would. */
  indexOf(row: Row): number {
    const at = this.#placeOf(row);
    for (let index = at; this.shown[index]?.number === row.number; index += 1)
      if (this.shown[index] === row) return index;
    return -1;
  }

  find(number: number): Row | undefined {
    const first = this.all[0]?.number ?? 0;
    return this.all[number - first];
  }

  #connect(row: Row, entry: MessageEntry): void {
    const { message, direction } = entry;
    row.method = typeof message.method === 'string' ? message.method : '';
    row.sessionId ||= sessionOf(message) ?? '';
    if (row.kind === 'request') row.waitsOn = waitsOn(row.method, direction);
    const request = this.#pairing.pair(entry, row);
    if (request) {
      request.pair = row;
      request.durationMs = row.timeMs - request.timeMs;
      row.pair = request;
      row.durationMs = request.durationMs;
      row.method = request.method;
      row.waitsOn = request.waitsOn;
      row.sessionId ||= request.sessionId;
      request.sessionId ||= row.sessionId;
      this.touch(request);
    }
    if (updateVariant(message)?.endsWith('_chunk')) this.#runs.begin(entry, row);
  }

  #isShown(row: Row): boolean {
    const range = this.#range;
    // A request lasts until it is answered.
    const endMs = row.kind === 'request' ? (row.pair?.timeMs ?? row.timeMs) : row.endMs;
    if (range && (row.timeMs > range.toMs || endMs < range.fromMs)) return false;
    return this.#filter.matches(row);
  }

  #show(): void {
    this.#hasChangedOrder = false;
    const shown: Row[] = [];
    for (const row of this.all) {
      if (!this.#isShown(row)) continue;
      shown.push(row);
      if (this.#expanded.has(row)) shown.push(...chunksOf(row));
    }
    this.shown = shown;
  }

  #placeOf({ number }: Row): number {
    let low = 0;
    let high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.shown[middle]?.number ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #forget(): void {
    for (const row of this.all.splice(0, FORGOTTEN_ROWS)) this.#expanded.delete(row);
    this.forgotten += FORGOTTEN_ROWS;
    this.#show();
  }
}

/** The chunks of a run, each as a row. */
function chunksOf(run: Row): readonly Row[] {
  return run.entries.map((entry, index) => {
    const row = new Row(run.number, entry, run);
    row.method = run.method;
    row.sessionId = run.sessionId;
    row.size = sizeOf(entry);
    row.verdict = run.verdict?.status === 'valid' ? run.verdict : undefined;
    row.originals.push(run.originals[index]);
    return row;
  });
}

function sizeOf(entry: TraceEntry): number {
  return entry.kind === 'message' ? JSON.stringify(entry.message).length : entry.text.length;
}
