import { type Entry, getTerminal, type TerminalRecord, type Transcript } from '@parley/client';
import { Component, createRef, type JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';
import { EntryView } from './entry-view.tsx';
import type { NearWatch } from './near-watch.ts';
import { isPassedNotice } from './passed-notice.ts';

/** Entries that are drawn, or left out, together. */
export const CHUNK_SIZE = 32;
/** How tall a chunk is that was never drawn. */
const ESTIMATED_HEIGHT = CHUNK_SIZE * 90;

interface ChunkProps {
  readonly open: OpenSession;
  readonly transcript: Transcript;
  readonly start: number;
  readonly end: number;
  /** It stands at the end, where everybody looks first. */
  readonly isAtEnd: boolean;
  readonly watch: NearWatch;
}

interface ChunkState {
  readonly isNear: boolean;
}

/** Some entries of a long conversation. Far from what is seen, only their height is left. */
export class Chunk extends Component<ChunkProps, ChunkState> {
  readonly #element = createRef<HTMLDivElement>();
  #height = ESTIMATED_HEIGHT;
  #stop: (() => void) | undefined;

  constructor(props: ChunkProps) {
    super(props);
    this.state = { isNear: props.isAtEnd };
  }

  override componentDidMount(): void {
    const { current } = this.#element;
    if (!current) return;
    this.#stop = this.props.watch.observe(current, (isNear) => {
      if (!isNear && this.state.isNear) this.#height = current.offsetHeight;
      if (isNear !== this.state.isNear) this.setState({ isNear });
    });
  }

  override componentWillUnmount(): void {
    this.#stop?.();
  }

  override shouldComponentUpdate(next: ChunkProps, state: ChunkState): boolean {
    const { start, end, transcript, open } = this.props;
    if (state.isNear !== this.state.isNear || next.end !== end || next.open !== open) return true;
    return state.isNear && hasChanged(transcript, next.transcript, start, end);
  }

  override render({ open, transcript, start, end }: ChunkProps, { isNear }: ChunkState): JSX.Element {
    return (
      <div ref={this.#element} class="thread-chunk" style={isNear ? { height: '' } : { height: `${this.#height}px` }}>
        {isNear && drawEntries(open, transcript, start, end)}
      </div>
    );
  }
}

function hasChanged(before: Transcript, after: Transcript, start: number, end: number): boolean {
  if (before === after) return false;
  if (before.turns !== after.turns || before.state !== after.state) return true;
  const hasOtherTerminals = before.terminals !== after.terminals;
  // The entry after the last one ends it.
  for (let index = start; index <= end; index += 1) {
    const entry = after.entries.at(index);
    if (entry !== before.entries.at(index)) return true;
    if (
      hasOtherTerminals &&
      index < end &&
      entry?.type === 'tool_call' &&
      entry.content.some(({ type }) => type === 'terminal')
    )
      return true;
  }
  return false;
}

function drawEntries(open: OpenSession, transcript: Transcript, start: number, end: number): JSX.Element[] {
  const { entries, turns, state } = transcript;
  const isWorking = state === 'running' || state === 'waiting' || state === 'cancelling';
  const views: JSX.Element[] = [];
  let index = start;
  for (const entry of entries.from(start)) {
    if (index >= end) break;
    const next = entries.at(index + 1);
    const turn = entry.turn !== undefined && next?.turn !== entry.turn ? turns.at(entry.turn) : undefined;
    const endedTurn = turn?.status === 'ended' || turn?.status === 'failed' ? turn : undefined;
    views.push(
      <EntryView
        key={index}
        entry={entry}
        open={open}
        terminals={terminalsOf(entry, transcript)}
        endedAt={next?.at ?? endedTurn?.endedAt}
        isLive={isWorking && index === entries.length - 1}
        endedTurn={endedTurn}
        isPassed={isPassedNotice(entry, transcript)}
      />,
    );
    index += 1;
  }
  return views;
}

const NONE: readonly TerminalRecord[] = [];

function terminalsOf(entry: Entry, transcript: Transcript): readonly TerminalRecord[] {
  if (entry.type !== 'tool_call') return NONE;
  return entry.content.flatMap((part) => {
    const terminal = part.type === 'terminal' ? getTerminal(transcript, part.terminalId) : undefined;
    return terminal ? [terminal] : [];
  });
}
