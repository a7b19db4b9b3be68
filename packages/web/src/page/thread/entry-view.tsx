import type { Entry, TerminalRecord, TurnRecord } from '@parley/client';
import { Component, type JSX } from 'preact';
import type { OpenSession } from '../sessions/open-session.ts';
import { Message } from './message.tsx';
import { Compaction, Notice, TurnEnd, UnknownUpdate } from './remark.tsx';
import { Thought } from './thought.tsx';
import { ToolCall } from './tool-call/tool-call.tsx';

export interface EntryViewProps {
  readonly entry: Entry;
  readonly open: OpenSession;
  /** Those that a tool call shows. */
  readonly terminals: readonly TerminalRecord[];
  /** When the next entry began, or the turn ended. */
  readonly endedAt: number | undefined;
  /** More of it may come. */
  readonly isLive: boolean;
  /** The turn whose last entry it is, once that has ended. */
  readonly endedTurn: TurnRecord | undefined;
  /** What it tells is no longer so, and it is not shown any more. */
  readonly isPassed: boolean;
}

/** One entry of the conversation; drawn again only when it, or what it shows, has changed. */
export class EntryView extends Component<EntryViewProps> {
  override shouldComponentUpdate(next: EntryViewProps): boolean {
    const { entry, terminals, endedAt, isLive, endedTurn, isPassed, open } = this.props;
    return (
      next.entry !== entry ||
      next.isLive !== isLive ||
      next.endedAt !== endedAt ||
      next.endedTurn !== endedTurn ||
      next.isPassed !== isPassed ||
      next.open !== open ||
      next.terminals.length !== terminals.length ||
      next.terminals.some((terminal, index) => terminal !== terminals[index])
    );
  }

  override render({ endedTurn, isPassed, ...props }: EntryViewProps): JSX.Element | null {
    if (isPassed && !endedTurn) return null;
    return (
      <div class="thread-entry">
        {!isPassed && drawEntry(props)}
        {endedTurn && <TurnEnd turn={endedTurn} />}
      </div>
    );
  }
}

function drawEntry({
  entry,
  open,
  terminals,
  endedAt,
  isLive,
}: Omit<EntryViewProps, 'endedTurn' | 'isPassed'>): JSX.Element {
  const { cwd } = open.session;
  switch (entry.type) {
    case 'message':
      return <Message entry={entry} agent={nameOf(open)} cwd={cwd} isLive={isLive} />;
    case 'thought':
      return <Thought entry={entry} endedAt={endedAt} cwd={cwd} isLive={isLive} />;
    case 'tool_call':
      return <ToolCall entry={entry} terminals={terminals} open={open} />;
    case 'notice':
      return <Notice entry={entry} />;
    case 'compaction':
      return <Compaction entry={entry} />;
    default:
      return <UnknownUpdate entry={entry} />;
  }
}

export function nameOf({ connection, agent }: OpenSession): string {
  return connection.agentInfo?.title ?? connection.agentInfo?.name ?? agent;
}
