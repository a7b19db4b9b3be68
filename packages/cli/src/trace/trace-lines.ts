import {
  createChunkRuns,
  createPairing,
  isChunk,
  kindOf,
  type MessageEntry,
  type MessageJudge,
  summarize,
  type TraceEntry,
  updateVariant,
} from '@parley/session/traces';
import { cleanLine, type Styles, shortLine } from '@parley/terminal';

/** Turns a trace into lines for people, as it goes: one for each message, one for a whole run of chunks. */
export interface TraceLines {
  add(entry: TraceEntry): void;
  /** Reads an entry that is not shown: what comes later may depend on it. */
  passOver(entry: TraceEntry): void;
  /** Writes what is still held back. */
  end(): void;
}

export interface TraceLinesOptions {
  readonly styles: Styles;
  readonly write: (line: string) => void;
  /** Tells what is wrong with a message; it is shown below its line. */
  readonly judge?: MessageJudge;
  /** Whole messages below each line. */
  readonly isFull?: boolean;
}

interface Run {
  readonly first: MessageEntry;
  count: number;
}

export function createTraceLines({ styles, write, judge, isFull = false }: TraceLinesOptions): TraceLines {
  const pairing = createPairing<{ readonly method: string; readonly timeMs: number }>();
  const runs = createChunkRuns<Run>();
  /** Runs that are not written yet, in the order in which they began. */
  let waiting: Run[] = [];
  let startMs: number | undefined;

  const line = (timeMs: number, mark: string, text: string): void => {
    const seconds = ((timeMs - (startMs ?? timeMs)) / 1000).toFixed(3).padStart(9);
    write(`${styles.dim(seconds)}  ${mark}  ${text}\n`);
  };
  const endRuns = (): void => {
    for (const { first, count } of waiting) {
      const times = count > 1 ? styles.dim(` (x${count})`) : '';
      const text = `${''.padStart(4)}  session/update  ${summary(first)}${times}`;
      line(first.timeMs, arrow(first.direction, styles), text);
    }
    waiting = [];
    runs.end();
  };
  const addMessage = (entry: MessageEntry): void => {
    const { message, direction, timeMs } = entry;
    const verdict = judge?.judge(entry);
    const problem = verdict?.status === 'invalid' ? verdict.problem : undefined;
    if (isChunk(updateVariant(message)) && !isFull && problem === undefined) {
      const run = runs.take(entry);
      if (run) {
        run.count += 1;
        return;
      }
      // Wires that are recorded together take turns, and each goes on with its run.
      if (entry.connection === undefined) endRuns();
      const begun = { first: entry, count: 1 };
      waiting.push(begun);
      runs.begin(entry, begun);
      return;
    }
    endRuns();
    line(timeMs, arrow(direction, styles), describe(entry));
    if (problem !== undefined)
      write(`${''.padStart(17)}${styles.warning(`not as the schema has it: ${shortLine(problem)}`)}\n`);
    if (isFull) write(`${styles.dim(JSON.stringify(message, null, 2).replaceAll(/^/gm, '    '))}\n`);
  };
  const describe = (entry: MessageEntry): string => {
    const { message, timeMs } = entry;
    const id = ('id' in message ? shortLine(JSON.stringify(message.id)) : '').padStart(4);
    const kind = kindOf(message);
    const request = pairing.pair(entry, { method: String(message.method), timeMs });
    if (kind === 'request' || kind === 'notification')
      return `${id}  ${styles.bold(shortLine(String(message.method)))}  ${summary(entry)}`;
    const took = request ? styles.dim(` ${timeMs - request.timeMs} ms`) : '';
    const text = kind === 'error' ? styles.bad(summary(entry)) : summary(entry);
    return `${id}  ${request ? shortLine(request.method) : '(answer)'}  ${styles.good('=')} ${text}${took}`;
  };

  return {
    add(entry) {
      startMs ??= entry.timeMs;
      if (entry.kind === 'message') return addMessage(entry);
      endRuns();
      if (entry.kind === 'stderr') return line(entry.timeMs, styles.dim('!'), styles.dim(shortLine(entry.text)));
      line(
        entry.timeMs,
        arrow(entry.direction, styles),
        styles.warning(`${''.padStart(4)}  not a message: ${shortLine(entry.text)}`),
      );
    },
    passOver(entry) {
      if (entry.kind === 'message') judge?.judge(entry);
    },
    end: endRuns,
  };
}

/** Nothing of it steers a terminal. */
function summary({ message }: MessageEntry): string {
  return cleanLine(summarize(message));
}

/** To the agent, or from it. */
function arrow(direction: 'in' | 'out', { active, good }: Styles): string {
  return direction === 'out' ? active('->') : good('<-');
}
