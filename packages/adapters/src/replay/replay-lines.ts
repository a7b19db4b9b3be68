import type { SessionEvent } from '@parley/session';
import type { Description } from '../description/description.ts';
import { createLineReader } from '../reading/create-line-reader.ts';
import type { SignalSource } from '../reading/signal.ts';
import { compileToolFacts } from '../telling/tool-facts.ts';
import { TurnOutput } from '../telling/turn-output.ts';

/** One recorded line, and what became of it. */
export interface ReplayedLine {
  readonly text: string;
  readonly isJson: boolean;
  /** The parts of the description that saw it: `outputEvents[2]`, `result`, `resume`, `passthrough`. */
  readonly seenBy: readonly string[];
  /** What a session would be told of it. */
  readonly events: readonly SessionEvent[];
}

export interface Replay {
  readonly lines: readonly ReplayedLine[];
  /** What is told when the turn ends: calls that were still open. */
  readonly atEnd: readonly SessionEvent[];
  /** Mappings that saw no line. */
  readonly idle: readonly string[];
  readonly sessionId: string | undefined;
  readonly hasResult: boolean;
  /** Why the turn would fail. */
  readonly error: string | undefined;
}

/** Reads recorded lines as a turn would, without a process, and says what saw each of them. */
export function replayLines(description: Description, texts: readonly string[]): Replay {
  let events: SessionEvent[] = [];
  let sessionId: string | undefined;
  let lastId = 0;
  const output = new TurnOutput(
    {
      cwd: '/',
      newId: (what) => `${what}-${++lastId}`,
      tell: (event) => void events.push(event),
      ask: ({ values }) =>
        void events.push({ type: 'notice', severity: 'info', title: `asks: ${JSON.stringify(values)}` }),
      onSession: (id) => {
        sessionId = id;
      },
      onModel: () => {},
      onTitle: (title) => void events.push({ type: 'info', title }),
      addTokens: () => {},
    },
    compileToolFacts(description.tools),
  );
  const read = createLineReader(description);
  const take = (): SessionEvent[] => {
    void output.flush();
    const taken = events;
    events = [];
    return taken;
  };
  const lines = texts.map((text): ReplayedLine => {
    if (description.outputMode === 'text') {
      output.take({ type: 'message', text: `${text}\n`, isPiece: true });
      return { text, isJson: false, seenBy: ['outputMode'], events: take() };
    }
    const value = parse(text);
    if (value === undefined) return { text, isJson: false, seenBy: [], events: [] };
    const seenBy = new Set<string>();
    const see = (source: SignalSource): void => void seenBy.add(nameOfSource(source));
    read(
      value,
      (signal, source) => {
        see(source);
        output.take(signal);
      },
      see,
    );
    return { text, isJson: true, seenBy: [...seenBy], events: take() };
  });
  output.end('completed');
  const seen = new Set(lines.flatMap(({ seenBy }) => seenBy));
  return {
    lines,
    atEnd: take(),
    idle: (description.outputEvents ?? []).map((_, index) => nameOfSource(index)).filter((name) => !seen.has(name)),
    sessionId,
    hasResult: output.result !== undefined,
    error: output.error,
  };
}

export function nameOfSource(source: SignalSource): string {
  return typeof source === 'number' ? `outputEvents[${source}]` : source;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
