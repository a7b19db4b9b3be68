import type { JSX, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { setTerm, splitTerms, termValue, toggleTerm } from './filter/filter.ts';
import type { InspectorModel } from './inspector-model.ts';

export interface ToolbarProps {
  readonly model: InspectorModel;
  readonly filter: string;
  readonly input: RefObject<HTMLInputElement | null>;
  /** Sessions that were seen. */
  readonly sessions: readonly string[];
  readonly onFilter: (filter: string) => void;
  readonly onPause: () => void;
  readonly onExport: () => void;
  readonly onFile: (file: File) => void;
}

const QUICK: readonly (readonly [label: string, term: string])[] = [
  ['errors', 'status:error,invalid,noise'],
  ['slow', 'slow>1s'],
  ['no chunks', '-chunk'],
  ["client's wire", 'side:client'],
];

export function Toolbar(props: ToolbarProps): JSX.Element {
  const { model, filter, input, sessions, onFilter, onPause, onExport, onFile } = props;
  const picker = useRef<HTMLInputElement>(null);
  const isLive = model.source.type === 'live';
  return (
    <div class="inspector-bar-top" role="toolbar" aria-label="Inspector">
      {isLive ? (
        <button
          type="button"
          class="button inspector-record"
          aria-pressed={!model.isPaused}
          title="Record or pause (Space)"
          onClick={onPause}
        >
          <span aria-hidden="true" class={model.isPaused ? 'inspector-dot' : 'inspector-dot inspector-dot-on'} />
          {model.isPaused ? `Paused${model.held > 0 ? `, ${model.held} new` : ''}` : 'Recording'}
        </button>
      ) : (
        <button type="button" class="button" onClick={() => model.goLive()}>
          Back to live
        </button>
      )}
      <button type="button" class="button" onClick={() => model.clear()}>
        Clear
      </button>
      <label class="inspector-filter">
        <span class="visually-hidden">Filter</span>
        <input
          ref={input}
          type="search"
          class="field"
          value={filter}
          placeholder="Filter (/): method:session/* -chunk status:error slow>1s"
          spellcheck={false}
          autocomplete="off"
          aria-describedby="inspector-problems"
          onInput={(event) => onFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter') return;
            event.preventDefault();
            event.stopPropagation();
            document.querySelector<HTMLElement>('.inspector-grid')?.focus();
          }}
        />
      </label>
      <div class="inspector-quick">
        {QUICK.filter(([, term]) => isLive || !term.startsWith('side:')).map(([label, term]) => (
          <button
            key={term}
            type="button"
            class="button inspector-chip"
            aria-pressed={splitTerms(filter).includes(term)}
            title={term}
            onClick={() => onFilter(toggleTerm(filter, term))}
          >
            {label}
          </button>
        ))}
      </div>
      <select
        class="button inspector-session"
        aria-label="Session"
        value={termValue(filter, 'session')}
        onChange={(event) => onFilter(setTerm(filter, 'session', event.currentTarget.value))}
      >
        <option value="">all sessions</option>
        {withChosen(sessions, termValue(filter, 'session')).map((session) => (
          <option key={session} value={session}>
            {session.length > 14 ? `${session.slice(0, 13)}…` : session}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button"
        title="Open a recorded trace; it stays in this page"
        onClick={() => picker.current?.click()}
      >
        Open file
      </button>
      <input
        ref={picker}
        type="file"
        class="visually-hidden"
        tabIndex={-1}
        aria-label="A recorded trace"
        accept=".ndjson,.jsonl,.json,.log,.txt"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <button type="button" class="button" title="Export what is shown, without secrets (e)" onClick={onExport}>
        Export
      </button>
    </div>
  );
}

/** A session that somebody has chosen is in the list, even if nothing of it was seen. */
function withChosen(sessions: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || sessions.includes(chosen) ? sessions : [...sessions, chosen];
}
