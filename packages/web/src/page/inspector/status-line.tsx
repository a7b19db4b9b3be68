import type { JSX } from 'preact';
import { count, formatDuration } from './format.ts';
import type { InspectorModel } from './inspector-model.ts';
import type { Range } from './rows/row-list.ts';

export interface StatusLineProps {
  readonly model: InspectorModel;
  readonly range: Range | undefined;
  readonly onRange: (range: undefined) => void;
}

/** What is shown of what, where it comes from, and what was done last. */
export function StatusLine({ model, range, onRange }: StatusLineProps): JSX.Element {
  const { rows, source, notice, problems } = model;
  return (
    <div class="inspector-status">
      <span>
        {rows.shown.length === rows.all.length
          ? count(rows.all.length, 'row')
          : `${rows.shown.length.toLocaleString('en')} of ${count(rows.all.length, 'row')}`}
        {rows.forgotten > 0 && `, ${rows.forgotten.toLocaleString('en')} older ones forgotten`}
      </span>
      <span>{sourceText(model)}</span>
      {range && (
        <button type="button" class="inspector-link" onClick={() => onRange(undefined)}>
          range of {formatDuration(range.toMs - range.fromMs)} ×
        </button>
      )}
      <span class="inspector-notice" role="status">
        {notice}
      </span>
      <span id="inspector-problems" class="inspector-warn" role="status">
        {problems.join(' ')}
      </span>
      {source.type === 'live' && source.kind === 'refused' && <span class="inspector-warn">{source.problem}</span>}
    </div>
  );
}

function sourceText({ source }: InspectorModel): string {
  if (source.type === 'file') return source.isReading ? `reading ${source.name}` : `file ${source.name}, offline`;
  switch (source.kind) {
    case 'connecting':
      return 'connecting';
    case 'open':
      return 'live';
    case 'cut':
      return `cut off: ${source.problem ?? ''} Trying again.`;
    case 'refused':
      return 'not live';
  }
}
