import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** How deep a value is unfolded at first, how many items of it are shown, and how long a text. */
const OPEN_DEPTH = 5;
const MAX_ITEMS = 100;
const MAX_TEXT = 2000;

export interface JsonTreeProps {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}

/** A value that can be folded. Everything is text: nothing of it is ever taken for markup. */
export function JsonTree({ value, name, depth = 0 }: JsonTreeProps): JSX.Element {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH);
  const [limit, setLimit] = useState(MAX_ITEMS);
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="inspector-leaf">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const items = Object.entries(value);
  const size = isList ? `[${items.length}]` : `{${items.length}}`;
  return (
    <details class="inspector-branch" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="inspector-dim">{size}</span>
      </summary>
      {isOpen &&
        items.slice(0, limit).map(([key, item]) => <JsonTree key={key} name={key} value={item} depth={depth + 1} />)}
      {isOpen && items.length > limit && (
        <button type="button" class="button" onClick={() => setLimit(limit * 10)}>
          {items.length - limit} more
        </button>
      )}
    </details>
  );
}

function Name({ name }: { readonly name: string | undefined }): JSX.Element | null {
  return name === undefined ? null : <span class="inspector-name">{name}: </span>;
}

function Scalar({ value }: { readonly value: unknown }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') return <span class="inspector-scalar">{String(value)}</span>;
  const isLong = value.length > MAX_TEXT && !isWhole;
  return (
    <span class="inspector-string">
      "{isLong ? value.slice(0, MAX_TEXT) : value}"
      {isLong && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          {value.length - MAX_TEXT} more characters
        </button>
      )}
    </span>
  );
}
