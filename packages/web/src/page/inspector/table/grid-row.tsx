import type { JSX } from 'preact';
import { count, formatDuration, formatOffset, formatSize, formatWall } from '../format.ts';
import type { Row } from '../rows/row.ts';
import { asCell, asRow } from './roles.ts';

export const ROW_PIXELS = 24;

export interface GridRowProps {
  readonly row: Row;
  readonly index: number;
  readonly startMs: number;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
  readonly isExpanded: boolean;
  readonly onSelect: (row: Row) => void;
  readonly onOpen: (row: Row) => void;
  readonly onHover: (row: Row) => void;
  readonly onToggle: (row: Row) => void;
}

export function GridRow(props: GridRowProps): JSX.Element {
  const { row, index, startMs, isSelected, isHovered, isExpanded, onSelect, onOpen, onHover, onToggle } = props;
  const classes = ['inspector-row', `inspector-is-${row.status}`];
  if (isSelected) classes.push('inspector-row-selected');
  if (isHovered) classes.push('inspector-row-hovered');
  if (row.run) classes.push('inspector-row-chunk');
  if (row.kind === 'stderr') classes.push('inspector-row-stderr');
  return (
    <div
      class={classes.join(' ')}
      id={`inspector-row-${index}`}
      style={{ top: `${index * ROW_PIXELS}px` }}
      {...asRow(index + 2, isSelected)}
      {...{ onClick: () => onSelect(row), onDblClick: () => onOpen(row), onPointerEnter: () => onHover(row) }}
    >
      <Cell class="inspector-number">{row.run ? '' : row.number}</Cell>
      <Cell class="inspector-number">{formatOffset(row.timeMs - startMs)}</Cell>
      <Cell class="inspector-number">{formatWall(row.timeMs)}</Cell>
      <Cell class="inspector-direction">
        <Direction row={row} />
      </Cell>
      <Cell class="inspector-number">{row.id}</Cell>
      <Cell class="inspector-method">
        {row.count > 1 && (
          <button
            type="button"
            class="inspector-fold"
            tabIndex={-1}
            aria-expanded={isExpanded}
            aria-label={`${count(row.count, 'chunk')}, ${isExpanded ? 'fold' : 'unfold'}`}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row);
            }}
          >
            {isExpanded ? '▾' : '▸'}
          </button>
        )}
        <Method row={row} />
        {row.count > 1 && <span class="inspector-count"> ×{row.count.toLocaleString('en')}</span>}
      </Cell>
      <Cell class="inspector-summary">{row.summary}</Cell>
      <Cell class="inspector-number">{formatSize(row.size)}</Cell>
      <Cell class={row.waitsOn === 'person' ? 'inspector-number inspector-person' : 'inspector-number'}>
        {row.durationMs !== undefined && row.kind !== 'request' ? '' : took(row)}
      </Cell>
      <Cell class="inspector-verdict">
        <VerdictMark row={row} />
      </Cell>
    </div>
  );
}

function Cell({
  class: name,
  children,
}: {
  readonly class: string;
  readonly children?: JSX.Element | JSX.Element[] | string | number | unknown;
}): JSX.Element {
  return (
    <span {...asCell} class={name}>
      {children as JSX.Element}
    </span>
  );
}

function took(row: Row): string {
  if (row.durationMs !== undefined) return formatDuration(row.durationMs);
  return row.kind === 'request' ? 'open' : '';
}

function Method({ row }: { readonly row: Row }): JSX.Element {
  if (row.kind === 'stderr') return <span class="inspector-dim">stderr</span>;
  if (row.kind === 'noise') return <span class="inspector-warn">not a message</span>;
  const isAnswer = row.kind === 'response' || row.kind === 'error';
  return (
    <>
      {isAnswer && <span class="inspector-dim">{row.kind === 'error' ? 'error ' : 'reply '}</span>}
      <span class={isAnswer ? 'inspector-dim' : ''}>{row.method || '(unknown request)'}</span>
    </>
  );
}

/** To the agent, or from it; and on whose wire, where there are two. */
function Direction({ row }: { readonly row: Row }): JSX.Element {
  const isOut = row.direction === 'out';
  const side = row.side === 'agent' ? 'agent' : row.side === 'client' ? 'client' : '';
  const words = row.kind === 'stderr' ? 'from the agent' : isOut ? 'to the agent' : 'to the client';
  return (
    <span
      title={side === '' ? words : `${words}, on the ${side}'s wire`}
      class={isOut ? 'inspector-out' : 'inspector-in'}
    >
      <span aria-hidden="true">{row.kind === 'stderr' ? '!' : isOut ? '→' : '←'}</span>
      <span class="visually-hidden">{words}</span>
      {side !== '' && <span class="inspector-side">{side}</span>}
    </span>
  );
}

function VerdictMark({ row }: { readonly row: Row }): JSX.Element {
  if (row.kind === 'noise') return <span class="inspector-warn">⚠ not JSON</span>;
  const { verdict } = row;
  if (!verdict) return <span class="inspector-dim" />;
  if (verdict.status === 'valid')
    return (
      <span class="inspector-ok" title="As the specification has it">
        ✓
      </span>
    );
  if (verdict.status === 'unknown')
    return (
      <span class="inspector-dim" title={verdict.why}>
        ?
      </span>
    );
  return (
    <span class="inspector-warn" title={verdict.problem}>
      ⚠ schema
    </span>
  );
}
