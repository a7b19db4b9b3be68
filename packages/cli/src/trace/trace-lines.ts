import type { Styles } from '../output/styles.ts';
import { shortLine } from '../terminal/text/clean-text.ts';
import { isChunk, kindOf, summarize, updateVariant } from './describe-message.ts';
import type { MessageJudge } from './judge-message.ts';
import type { MessageEntry, TraceEntry } from './trace-entry.ts';

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

/** Requests whose answers have not come; more are forgotten, and shown without a duration. */
const MAX_OPEN = 10_000;

export function createTraceLines({ styles, write, judge, isFull = false }: TraceLinesOptions): TraceLines {
  const open = new Map<string, { readonly method: string; readonly timeMs: number }>();
  let startMs: number | undefined;
  let run: { readonly key: string; readonly first: MessageEntry; count: number } | undefined;

  const line = (timeMs: number, mark: string, text: string): void => {
    const seconds = ((timeMs - (startMs ?? timeMs)) / 1000).toFixed(3).padStart(9);
    write(`${styles.dim(seconds)}  ${mark}  ${text}\n`);
  };
  const endRun = (): void => {
    if (run) {
      const { first, count } = run;
      const times = count > 1 ? styles.dim(` (x${count})`) : '';
      line(
        first.timeMs,
        arrow(first.direction, styles),
        `${''.padStart(4)}  session/update  ${summarize(first.message)}${times}`,
      );
    }
    run = undefined;
  };
  const addMessage = (entry: MessageEntry): void => {
    const { message, direction, timeMs } = entry;
    const variant = updateVariant(message);
    const problem = judge?.judge(entry);
    if (isChunk(variant) && !isFull && problem === undefined) {
      const key = `${direction} ${variant} ${JSON.stringify((message.params as { sessionId?: unknown }).sessionId)}`;
      if (run?.key === key) {
        run.count += 1;
        return;
      }
      endRun();
      run = { key, first: entry, count: 1 };
      return;
    }
    endRun();
    line(timeMs, arrow(direction, styles), describe(entry));
    if (problem !== undefined)
      write(`${''.padStart(17)}${styles.warning(`not as the schema has it: ${shortLine(problem)}`)}\n`);
    if (isFull) write(`${styles.dim(JSON.stringify(message, null, 2).replaceAll(/^/gm, '    '))}\n`);
  };
  const describe = ({ message, direction, timeMs }: MessageEntry): string => {
    const id = String('id' in message ? JSON.stringify(message.id) : '').padStart(4);
    const kind = kindOf(message);
    if (kind === 'request') {
      if (open.size < MAX_OPEN) open.set(`${direction} ${id}`, { method: String(message.method), timeMs });
    }
    if (kind === 'request' || kind === 'notification')
      return `${id}  ${styles.bold(shortLine(String(message.method)))}  ${summarize(message)}`;
    const asked = `${direction === 'in' ? 'out' : 'in'} ${id}`;
    const request = open.get(asked);
    open.delete(asked);
    const took = request ? styles.dim(` ${timeMs - request.timeMs} ms`) : '';
    const summary = kind === 'error' ? styles.bad(summarize(message)) : summarize(message);
    return `${id}  ${request?.method ?? '(answer)'}  ${styles.good('=')} ${summary}${took}`;
  };

  return {
    add(entry) {
      startMs ??= entry.timeMs;
      if (entry.kind === 'message') return addMessage(entry);
      endRun();
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
    end: endRun,
  };
}

/** To the agent, or from it. */
function arrow(direction: 'in' | 'out', { active, good }: Styles): string {
  return direction === 'out' ? active('->') : good('<-');
}
