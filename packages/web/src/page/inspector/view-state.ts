import { formatRoute } from '../app/route.ts';
import { setTerm } from './filter/filter.ts';
import type { Range } from './rows/row-list.ts';

export const TABS = ['pretty', 'raw', 'schema', 'pair', 'stderr'] as const;
export type Tab = (typeof TABS)[number];

/** What somebody looks at. It stands in the fragment of the page, so that a link shows the same. */
export interface ViewState {
  readonly filter: string;
  /** The number of the row. */
  readonly row: number | undefined;
  readonly tab: Tab;
  /** In milliseconds since 1970. */
  readonly range: Range | undefined;
}

/** A session that is named by itself, as links from a conversation do, is a term of the filter. */
export function readView(query: URLSearchParams): ViewState {
  const tab = TABS.find((each) => each === query.get('tab')) ?? 'pretty';
  const row = Number(query.get('row'));
  const [fromMs = Number.NaN, toMs = Number.NaN] = (query.get('range') ?? '').split('-').map(Number);
  const session = query.get('session');
  const filter = query.get('filter') ?? '';
  return {
    filter: session ? setTerm(filter, 'session', session) : filter,
    row: Number.isInteger(row) && row > 0 ? row : undefined,
    tab,
    range: fromMs > 0 && toMs > fromMs ? { fromMs, toMs } : undefined,
  };
}

export function formatView({ filter, row, tab, range }: ViewState): string {
  const query = new URLSearchParams({
    ...(filter !== '' && { filter }),
    ...(row !== undefined && { row: String(row) }),
    ...(tab !== 'pretty' && { tab }),
    ...(range && { range: `${Math.round(range.fromMs)}-${Math.round(range.toMs)}` }),
  });
  return formatRoute({ name: 'inspector', query });
}
