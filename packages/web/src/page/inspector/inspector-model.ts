import type { TraceEntry } from '@parley/session/traces';
import type { Api } from '../connection/api.ts';
import { parseFilter } from './filter/filter.ts';
import { count } from './format.ts';
import { Judging } from './rows/judging.ts';
import { type Range, RowList } from './rows/row-list.ts';
import { exportTrace } from './source/export-trace.ts';
import { followTraffic, type LiveState } from './source/live-source.ts';
import { readTraceFile } from './source/trace-file.ts';

export type Source =
  | ({ readonly type: 'live' } & LiveState)
  | { readonly type: 'file'; readonly name: string; readonly isReading: boolean };

/** Most entries that wait while somebody has paused; more go to the table all the same. */
const MAX_HELD = 50_000;

/** What the inspector shows, without how. Views are told when something has changed, at most once a frame. */
export class InspectorModel {
  readonly rows: RowList = new RowList();
  readonly #api: Pick<Api, 'traffic'>;
  readonly #listeners = new Set<() => void>();
  readonly #judging: Judging;
  source: Source = { type: 'live', kind: 'connecting' };
  isPaused = false;
  problems: readonly string[] = [];
  /** What was done last, for a person. */
  notice = '';
  /** Counts changes, for whoever keeps what they have worked out. */
  version = 0;
  #held: TraceEntry[] = [];
  #reading = new AbortController();
  #frame: number | undefined;

  constructor(api: Pick<Api, 'traffic'>) {
    this.#api = api;
    this.#judging = new Judging((row) => {
      this.rows.touch(row);
      this.#change();
    });
  }

  get held(): number {
    return this.#held.length;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Follows the server. */
  goLive(): void {
    this.#begin({ type: 'live', kind: 'connecting' });
    const { signal } = this.#reading;
    void followTraffic(
      this.#api,
      {
        onEntries: (entries) => this.#take(entries),
        onMissed: (missed) => this.tell(`${count(missed, 'entry', 'entries')} came too fast and were missed.`),
        onState: (state) => {
          if (this.source.type === 'live' && this.source.kind === state.kind && this.source.problem === state.problem)
            return;
          this.source = { type: 'live', ...state };
          this.#change();
        },
      },
      signal,
    );
  }

  /** Shows a recorded trace. Nothing of it leaves this page. */
  async openFile(file: File): Promise<void> {
    const { name } = file;
    this.#begin({ type: 'file', name, isReading: true });
    const { signal } = this.#reading;
    try {
      const { skippedLines } = await readTraceFile(
        file,
        (entries) => {
          if (signal.aborted) return;
          for (const { entry, original } of entries) this.#add(entry, original);
          this.#change();
        },
        signal,
      );
      if (signal.aborted) return;
      const skipped = skippedLines > 0 ? ` ${count(skippedLines, 'line')} of it were no part of a trace.` : '';
      this.tell(
        this.rows.all.length === 0
          ? `${name} is no trace: it has no line such as \`parley inspect\` and \`--trace\` write.`
          : `${name} has ${count(this.rows.all.length, 'row')}.${skipped}`,
      );
    } catch (error) {
      if (!signal.aborted) this.tell(`${name} cannot be read: ${(error as Error).message}`);
    }
    if (signal.aborted) return;
    this.source = { type: 'file', name, isReading: false };
    this.#change();
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (!isPaused) {
      const held = this.#held;
      this.#held = [];
      for (const entry of held) this.#add(entry);
    }
    this.#change();
  }

  clear(): void {
    this.rows.clear();
    this.#held = [];
    this.tell('Cleared.');
  }

  setFilter(text: string, range: Range | undefined): void {
    const filter = parseFilter(text);
    this.problems = filter.problems;
    this.rows.setFilter(filter, range);
    this.#change();
  }

  /** What is shown, as lines of a trace; says how many values are masked in it. */
  exported(): readonly string[] {
    const { lines, masked } = exportTrace(this.rows.shown);
    this.tell(
      `Exported ${count(lines.length, 'entry', 'entries')}; ${count(masked, 'value is', 'values are')} masked.`,
    );
    return lines;
  }

  tell(notice: string): void {
    this.notice = notice;
    this.#change();
  }

  /** Draws again: something about a row is shown otherwise. */
  redraw(): void {
    this.#change();
  }

  close(): void {
    this.#reading.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#listeners.clear();
  }

  #begin(source: Source): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#held = [];
    this.rows.clear();
    this.#judging.clear();
    this.isPaused = false;
    this.notice = '';
    this.source = source;
    this.#change();
  }

  #take(entries: readonly TraceEntry[]): void {
    if (this.isPaused && this.#held.length < MAX_HELD) this.#held.push(...entries);
    else for (const entry of entries) this.#add(entry);
    this.#change();
  }

  #add(entry: TraceEntry, original?: TraceEntry): void {
    const row = this.rows.add(entry, original);
    if (entry.kind === 'message') this.#judging.add(row, entry);
  }

  #change(): void {
    this.version += 1;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.rows.settle();
      for (const listener of this.#listeners) listener();
    });
  }
}
