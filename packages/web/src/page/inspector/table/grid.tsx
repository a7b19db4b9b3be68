import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row } from '../rows/row.ts';
import type { RowList } from '../rows/row-list.ts';
import { GridRow, ROW_PIXELS } from './grid-row.tsx';
import { asGrid, asGroup, asHead, asRow } from './roles.ts';

export interface GridProps {
  readonly rows: RowList;
  /** Stays at its end while rows come, as long as it is there. */
  readonly follows: boolean;
  readonly selected: Row | undefined;
  readonly hovered: Row | undefined;
  readonly onSelect: (row: Row) => void;
  readonly onOpen: (row: Row) => void;
  readonly onHover: (row: Row | undefined) => void;
  readonly onToggle: (row: Row) => void;
}

/** Rows above and below what is seen that are drawn too. */
const OVERSCAN = 8;

const COLUMNS = ['#', 'Time', 'Clock', 'Direction', 'Id', 'Method', 'Summary', 'Size', 'Took', 'Schema'];

/** The table. Only the rows that are seen are drawn, however many there are. */
export function Grid({
  rows,
  follows,
  selected,
  hovered,
  onSelect,
  onOpen,
  onHover,
  onToggle,
}: GridProps): JSX.Element {
  const grid = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const total = rows.shown.length;

  useEffect(() => {
    const element = grid.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setSeen({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = grid.current;
    if (element && follows && isAtEnd.current && selected === undefined) element.scrollTop = element.scrollHeight;
  }, [total]);
  // A row that is chosen is seen.
  const index = selected ? rows.indexOf(selected) : -1;
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element || index < 0) return;
    const top = index * ROW_PIXELS;
    const visible = element.clientHeight - HEAD_PIXELS;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_PIXELS > element.scrollTop + visible) element.scrollTop = top + ROW_PIXELS - visible;
  }, [selected, index < 0]);

  const onScroll = (): void => {
    const element = grid.current;
    if (!element) return;
    const { scrollTop: top, clientHeight: height, scrollHeight } = element;
    isAtEnd.current = top + height >= scrollHeight - ROW_PIXELS;
    setSeen({ top, height });
  };
  const first = Math.max(0, Math.floor(seen.top / ROW_PIXELS) - OVERSCAN);
  const last = Math.min(total, Math.ceil((seen.top + seen.height) / ROW_PIXELS) + OVERSCAN);
  // Elements are used again for other rows: making them costs more than filling them.
  const drawn = Math.ceil(seen.height / ROW_PIXELS) + 2 * OVERSCAN + 2;
  const isDrawn = index >= first && index < last;
  return (
    <div
      ref={grid}
      class="inspector-grid"
      {...asGrid({ rows: total + 1, columns: COLUMNS.length, active: isDrawn ? `inspector-row-${index}` : undefined })}
      {...{ onScroll, onPointerLeave: () => onHover(undefined) }}
    >
      <div class="inspector-row inspector-row-head" {...asRow(1)}>
        {COLUMNS.map((name, column) => (
          <span key={name} {...asHead(column + 1)}>
            {name}
          </span>
        ))}
      </div>
      <div class="inspector-rows" style={{ height: `${total * ROW_PIXELS}px` }} {...asGroup}>
        {rows.shown.slice(first, last).map((row, at) => (
          <GridRow
            key={(first + at) % drawn}
            row={row}
            index={first + at}
            startMs={rows.startMs}
            isSelected={row === selected}
            isHovered={row === hovered || (hovered !== undefined && row.pair === hovered)}
            isExpanded={rows.isExpanded(row)}
            onSelect={onSelect}
            onOpen={onOpen}
            onHover={onHover}
            onToggle={onToggle}
          />
        ))}
      </div>
    </div>
  );
}

const HEAD_PIXELS = 26;
