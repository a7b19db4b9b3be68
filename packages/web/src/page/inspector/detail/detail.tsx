import {
  isRecord,
  type SpecificationSection,
  specificationOf,
  type TraceEntry,
  updateVariant,
} from '@parley/session/traces';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatDuration, formatOffset, formatSize, formatWall } from '../format.ts';
import type { Row } from '../rows/row.ts';
import { TABS, type Tab } from '../view-state.ts';
import { JsonTree } from './json-tree.tsx';

export interface DetailProps {
  readonly row: Row;
  readonly startMs: number;
  readonly tab: Tab;
  /** What was written to stderr around that moment. */
  readonly stderr: readonly Row[];
  readonly onTab: (tab: Tab) => void;
  readonly onSelect: (row: Row) => void;
  readonly onCopy: () => void;
  readonly onClose: () => void;
}

const NAMES: Readonly<Record<Tab, string>> = {
  pretty: 'Pretty',
  raw: 'Raw',
  schema: 'Schema',
  pair: 'Pair',
  stderr: 'stderr',
};

/** Everything about one row. */
export function Detail(props: DetailProps): JSX.Element {
  const { row, startMs, tab, onTab, onCopy, onClose } = props;
  const [isRevealed, setRevealed] = useState(false);
  useEffect(() => setRevealed(false), [row]);
  const tabs = useRef<HTMLDivElement>(null);
  const hasSecrets = row.originals.some((original) => original !== undefined);
  const entries = isRevealed ? row.entries.map((entry, index) => row.originals[index] ?? entry) : row.entries;
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? 'pretty';
    onTab(next);
    tabs.current?.querySelector<HTMLElement>(`#inspector-tab-${next}`)?.focus();
  };
  return (
    <section class="inspector-detail" aria-label={`Row ${row.number}`}>
      <header class="inspector-detail-head">
        <h2>{row.method || row.kind}</h2>
        <span class="inspector-dim inspector-detail-facts">
          #{row.number} at {formatOffset(row.timeMs - startMs)} s, {formatWall(row.timeMs)}, {formatSize(row.size)}
          {row.durationMs !== undefined &&
            `, ${formatDuration(row.durationMs)}${row.waitsOn === 'person' ? ' waiting for a person' : ''}`}
        </span>
        {hasSecrets && (
          <button type="button" class="button" aria-pressed={isRevealed} onClick={() => setRevealed(!isRevealed)}>
            {isRevealed ? 'Mask' : 'Reveal'}
          </button>
        )}
        <button type="button" class="button" title="Copy (c)" onClick={onCopy}>
          Copy
        </button>
        <button
          type="button"
          class="button button-plain"
          aria-label="Close the details"
          title="Close (Escape)"
          onClick={onClose}
        >
          ×
        </button>
      </header>
      <div class="inspector-tabs" role="tablist" tabIndex={-1} aria-label="Details" ref={tabs} onKeyDown={onKeyDown}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`inspector-tab-${each}`}
            aria-selected={each === tab}
            aria-controls="inspector-panel"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => onTab(each)}
          >
            {NAMES[each]}
            {each === 'schema' && mark(row)}
          </button>
        ))}
      </div>
      <div class="inspector-panel" id="inspector-panel" {...asPanel(tab)}>
        <Panel {...props} entries={entries} />
      </div>
    </section>
  );
}

/** What is longer than the pane is scrolled with the keyboard too. */
function asPanel(tab: Tab) {
  return { role: 'tabpanel', tabIndex: 0, 'aria-labelledby': `inspector-tab-${tab}` } as const;
}

function mark({ verdict }: Row): string {
  return verdict?.status === 'invalid' ? ' ⚠' : verdict?.status === 'valid' ? ' ✓' : '';
}

function Panel({
  row,
  startMs,
  tab,
  stderr,
  entries,
  onSelect,
}: DetailProps & { readonly entries: readonly TraceEntry[] }): JSX.Element {
  switch (tab) {
    case 'pretty':
      return <Pretty entries={entries} />;
    case 'raw':
      return <pre class="inspector-raw">{entries.map(rawOf).join('\n')}</pre>;
    case 'schema':
      return <Schema row={row} />;
    case 'pair':
      return <Pair row={row} startMs={startMs} onSelect={onSelect} />;
    case 'stderr':
      return <Stderr rows={stderr} startMs={startMs} />;
  }
}

function Pretty({ entries }: { readonly entries: readonly TraceEntry[] }): JSX.Element {
  const [first] = entries;
  if (first?.kind !== 'message') return <pre class="inspector-raw">{entries.map(rawOf).join('\n')}</pre>;
  const text = entries.length > 1 ? entries.map(chunkText).join('') : '';
  return (
    <>
      {entries.length > 1 && <p class="inspector-dim">{entries.length} chunks in a row; joined:</p>}
      {text !== '' && <pre class="inspector-raw inspector-joined">{text}</pre>}
      {entries.length > 1 && <p class="inspector-dim">The first of them:</p>}
      <JsonTree value={first.message} />
    </>
  );
}

function chunkText(entry: TraceEntry): string {
  const params = entry.kind === 'message' ? entry.message.params : undefined;
  const update = isRecord(params) && isRecord(params.update) ? params.update : {};
  return isRecord(update.content) && typeof update.content.text === 'string' ? update.content.text : '';
}

function Schema({ row }: { readonly row: Row }): JSX.Element {
  const { verdict, message } = row;
  if (row.kind === 'noise')
    return (
      <p>
        This came on the wire and is no message. Agents must write nothing but messages to their standard output; what
        is for people goes to stderr.
      </p>
    );
  if (!message) return <p>What is written to stderr is for people; the specification says nothing about it.</p>;
  if (!verdict) return <p>It was not judged yet.</p>;
  const section =
    verdict.status === 'invalid'
      ? verdict.specification
      : specificationOf(row.method, row.entry.protocol ?? 1, updateVariant(message));
  return (
    <>
      {verdict.status === 'valid' && (
        <p class="inspector-ok">✓ As the schema and the rules of the specification have it.</p>
      )}
      {verdict.status === 'unknown' && <p>{verdict.why}</p>}
      {verdict.status === 'invalid' && (
        <dl class="inspector-facts">
          <dt>Problem</dt>
          <dd class="inspector-warn">⚠ {verdict.problem}</dd>
          <dt>Rule</dt>
          <dd>{verdict.rule}</dd>
        </dl>
      )}
      <SectionLink section={section} />
    </>
  );
}

function SectionLink({ section: { section, url } }: { readonly section: SpecificationSection }): JSX.Element {
  return (
    <p>
      In the specification:{' '}
      <a href={url} target="_blank" rel="noreferrer noopener">
        {section}
      </a>
    </p>
  );
}

function Pair({ row, startMs, onSelect }: Pick<DetailProps, 'row' | 'startMs' | 'onSelect'>): JSX.Element {
  const { pair } = row;
  if (!pair) {
    if (row.kind === 'request') return <p>No answer has come.</p>;
    const isAnswer = row.kind === 'response' || row.kind === 'error';
    return <p>{isAnswer ? 'The request that it answers was not seen.' : 'It is a notification: nobody answers it.'}</p>;
  }
  const took = formatDuration(row.durationMs ?? 0);
  const who = { person: 'a person', agent: 'the agent', client: 'the client' }[row.waitsOn ?? 'agent'];
  return (
    <>
      <p>
        {row.kind === 'request' ? 'Answered' : 'Asked'} by{' '}
        <button type="button" class="inspector-link" onClick={() => onSelect(pair)}>
          row {pair.number}
        </button>{' '}
        at {formatOffset(pair.timeMs - startMs)} s; it took {took}, waiting on {who}.
      </p>
      <JsonTree value={pair.message} />
    </>
  );
}

function Stderr({ rows, startMs }: { readonly rows: readonly Row[]; readonly startMs: number }): JSX.Element {
  if (rows.length === 0) return <p>Nothing was written to stderr around this moment.</p>;
  return (
    <pre class="inspector-raw">
      {rows.map((row) => `${formatOffset(row.timeMs - startMs)}  ${row.summary}`).join('\n')}
    </pre>
  );
}

/** As it stands in a trace, on one line. */
export function rawOf(entry: TraceEntry): string {
  return entry.kind === 'message' ? JSON.stringify(entry.message) : entry.text;
}
