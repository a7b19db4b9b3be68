import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { InspectorRoute } from '../app/route.ts';
import type { Api } from '../connection/api.ts';
import { Detail, rawOf } from './detail/detail.tsx';
import { InspectorModel } from './inspector-model.ts';
import { actionFor, type GridKeys } from './keys.ts';
import type { Row } from './rows/row.ts';
import { StatusLine } from './status-line.tsx';
import { Grid } from './table/grid.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useSpans } from './timeline/use-spans.ts';
import { Toolbar } from './toolbar.tsx';
import { formatView, readView, type ViewState } from './view-state.ts';

/** The traffic of the server, or a recorded trace: a table with filters, a timeline, and everything about one message. */
export function Inspector({ api, route }: { readonly api: Api; readonly route: InspectorRoute }): JSX.Element {
  const model = useMemo(() => new InspectorModel(api), [api]);
  const [view, change] = useView(route);
  const [chosen, setChosen] = useState<Row>();
  const [hovered, setHovered] = useState<Row>();
  const [, draw] = useState(0);
  const filterInput = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const { filter, range, tab } = view;

  useEffect(() => {
    const end = model.subscribe(() => draw((times) => times + 1));
    model.goLive();
    return () => {
      end();
      model.close();
    };
  }, [model]);
  useEffect(() => model.setFilter(filter, range), [model, filter, range]);

  const { rows } = model;
  const selected = chosen ?? (view.row === undefined ? undefined : rows.find(view.row));
  const select = (row: Row | undefined): void => {
    setChosen(row);
    change({ ...view, row: row?.number });
  };
  const openFile = (file: File): void => {
    setChosen(undefined);
    change({ ...view, row: undefined, range: undefined });
    void model.openFile(file);
  };
  const keys: GridKeys = {
    move: (by) => {
      const at = selected ? rows.indexOf(selected) : by > 0 ? -1 : rows.shown.length;
      const next = rows.shown[Math.min(rows.shown.length - 1, Math.max(0, at + by))];
      if (next) select(next);
    },
    moveTo: (where) => select(where === 'start' ? rows.shown[0] : rows.shown.at(-1)),
    open: () => root.current?.querySelector<HTMLElement>('.inspector-panel')?.focus(),
    expand: (isExpanded) => {
      const run = selected?.run ?? selected;
      if (!run || run.count < 2 || rows.isExpanded(run) === isExpanded) return;
      if (selected?.run) select(run);
      rows.toggle(run);
      model.redraw();
    },
    filter: () => filterInput.current?.focus(),
    pair: () => selected?.pair && select(selected.pair),
    copy: () => void copyRow(model, selected),
    export: () => save(model.exported()),
    pause: () => model.source.type === 'live' && model.setPaused(!model.isPaused),
    close: () => {
      root.current?.querySelector<HTMLElement>('.inspector-grid')?.focus();
      if (selected) select(undefined);
    },
  };
  const latestKeys = useRef(keys);
  latestKeys.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const action = actionFor(event, latestKeys.current);
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  const sessions = useMemo(
    () => [...new Set(rows.all.map(({ sessionId }) => sessionId))].filter(Boolean),
    [rows.all.length >> 5, rows],
  );
  const { spans, endMs } = useSpans(model, filter);
  return (
    <div ref={root} class="inspector" data-detail={selected !== undefined} {...takesFiles(openFile)}>
      <Toolbar
        model={model}
        filter={filter}
        input={filterInput}
        sessions={sessions}
        onFilter={(text) => change({ ...view, filter: text })}
        onPause={keys.pause}
        onExport={keys.export}
        onFile={openFile}
      />
      <StatusLine model={model} range={range} onRange={() => change({ ...view, range: undefined })} />
      <Timeline
        spans={spans}
        startMs={rows.startMs}
        endMs={endMs}
        range={range}
        marked={hovered ?? selected}
        onRange={(next) => change({ ...view, range: next })}
        onSelect={select}
        onHover={setHovered}
      />
      <div class="inspector-panes">
        <Grid
          rows={rows}
          follows={model.source.type === 'live'}
          selected={selected}
          hovered={hovered}
          onSelect={select}
          onOpen={(row) => {
            select(row);
            keys.open();
          }}
          onHover={setHovered}
          onToggle={(row) => {
            rows.toggle(row);
            model.redraw();
          }}
        />
        {rows.all.length === 0 && <Nothing model={model} />}
        {selected && (
          <Detail
            row={selected}
            startMs={rows.startMs}
            tab={tab}
            stderr={stderrAround(rows.all, selected)}
            onTab={(next) => change({ ...view, tab: next })}
            onSelect={select}
            onCopy={keys.copy}
            onClose={keys.close}
          />
        )}
      </div>
    </div>
  );
}

/** What is looked at, and how to look at something else. It is written into the address; a new address is followed. */
function useView(route: InspectorRoute): readonly [ViewState, (view: ViewState) => void] {
  const query = route.query.toString();
  const [view, setView] = useState(() => readView(route.query));
  const written = useRef(query);
  useEffect(() => {
    if (written.current === query) return;
    written.current = query;
    setView(readView(new URLSearchParams(query)));
  }, [query]);
  return [
    view,
    (next) => {
      setView(next);
      history.replaceState(history.state, '', formatView(next));
    },
  ];
}

/** A file that is dropped is opened. */
function takesFiles(open: (file: File) => void) {
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) open(file);
    },
  };
}

function Nothing({ model: { source } }: { readonly model: InspectorModel }): JSX.Element {
  const isRefused = source.type === 'live' && source.kind === 'refused';
  return (
    <p class="inspector-nothing">
      {source.type === 'file'
        ? 'There is nothing in this file that could be shown.'
        : isRefused
          ? 'Drop a recorded trace here, or open one.'
          : 'Nothing has passed yet. Prompt an agent in a session, or drop a recorded trace here (from `parley inspect` or `--trace`).'}
    </p>
  );
}

/** How far from a moment something that was written to stderr may have to do with it. */
const NEAR_MS = 5000;
const MAX_NEAR = 200;

function stderrAround(rows: readonly Row[], row: Row): readonly Row[] {
  const until = row.timeMs + Math.max(NEAR_MS, row.durationMs ?? 0);
  const near = rows.filter(
    (each) =>
      each.kind === 'stderr' && each.timeMs >= row.timeMs - NEAR_MS && each.timeMs <= until && each.agent === row.agent,
  );
  return near.slice(-MAX_NEAR);
}

async function copyRow(model: InspectorModel, row: Row | undefined): Promise<void> {
  if (!row) return model.tell('Choose a row to copy.');
  try {
    await navigator.clipboard.writeText(row.entries.map(rawOf).join('\n'));
    model.tell(`Copied row ${row.number}.`);
  } catch {
    model.tell('The browser does not let this page copy; use the tab Raw.');
  }
}

function save(lines: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...lines], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `trace-${new Date().toISOString().replaceAll(/[:.]/g, '-').slice(0, 19)}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
