/**
 * The parts of the table, for screen readers. They are no elements of a table: those lose their meaning in some browsers when they are
 * placed otherwise than a table places them, and here only rows that are seen are there at all.
 */
export const asGroup = { role: 'rowgroup' } as const;
export const asCell = { role: 'gridcell' } as const;

/** The whole table, with how much of it there is. */
export function asGrid({ rows, columns, active }: { rows: number; columns: number; active: string | undefined }) {
  return {
    role: 'grid',
    tabIndex: 0,
    'aria-label': 'Messages',
    'aria-rowcount': rows,
    'aria-colcount': columns,
    'aria-activedescendant': active,
  } as const;
}

/** A row, with where it stands in the whole; the head is the first. */
export function asRow(position: number, isSelected?: boolean) {
  return {
    role: 'row',
    'aria-rowindex': position,
    ...(isSelected !== undefined && { 'aria-selected': isSelected }),
  } as const;
}

export function asHead(column: number) {
  return { role: 'columnheader', 'aria-colindex': column } as const;
}
