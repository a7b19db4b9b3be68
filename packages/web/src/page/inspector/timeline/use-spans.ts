import { useEffect, useRef, useState } from 'preact/hooks';
import { parseFilter, splitTerms } from '../filter/filter.ts';
import type { InspectorModel } from '../inspector-model.ts';
import { type Span, spansOf } from '../rows/spans.ts';

/** How often they are worked out anew while much happens. */
const PAUSE_MS = 300;

interface Known {
  readonly version: number;
  readonly filter: string;
  readonly atMs: number;
  readonly spans: readonly Span[];
  readonly endMs: number;
}

/** The spans of the timeline: those of the sessions, agents and wires that the filter names. */
export function useSpans(model: InspectorModel, filter: string): Known {
  const [, draw] = useState({});
  const known = useRef<Known>({ version: -1, filter: '', atMs: 0, spans: [], endMs: 0 });
  const isStale = known.current.version !== model.version || known.current.filter !== filter;
  const now = performance.now();
  const isDue = known.current.filter !== filter || now - known.current.atMs >= PAUSE_MS;
  if (isStale && isDue) known.current = { ...work(model, filter), version: model.version, filter, atMs: now };
  const mustWait = isStale && !isDue;
  useEffect(() => {
    if (!mustWait) return;
    const timer = setTimeout(() => draw({}), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [mustWait]);
  return known.current;
}

function work({ rows }: InspectorModel, filter: string): Pick<Known, 'spans' | 'endMs'> {
  const terms = splitTerms(filter).filter((term) => /^-?(session|agent|side):/.test(term));
  const { matches } = parseFilter(terms.join(' '));
  const isSideNamed = terms.some((term) => term.includes('side:'));
  // What passes on both sides of a gateway happens once.
  const hasClients = !isSideNamed && rows.all.some(({ side }) => side === 'client');
  const counted = rows.all.filter((row) => matches(row) && !(hasClients && row.side === 'agent'));
  return { spans: spansOf(counted), endMs: rows.endMs };
}
