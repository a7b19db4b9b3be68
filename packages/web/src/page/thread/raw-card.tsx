import type { JSX } from 'preact';
import { CodeBlock } from '../text/code/code-block.tsx';
import { visibleLine } from '../text/visible-text.ts';

const MAX_RAW_CHARACTERS = 20_000;

/** Something that this page has no view for, as it came: nothing that an agent says vanishes. */
export function RawCard({ label, raw }: { readonly label: string; readonly raw: unknown }): JSX.Element {
  return (
    <details class="raw-card">
      <summary>{visibleLine(label)}</summary>
      <CodeBlock code={writeRaw(raw)} language="json" />
    </details>
  );
}

export function writeRaw(raw: unknown): string {
  const text = typeof raw === 'string' ? raw : (JSON.stringify(raw, undefined, 2) ?? String(raw));
  if (text.length <= MAX_RAW_CHARACTERS) return text;
  return `${text.slice(0, MAX_RAW_CHARACTERS)}\n… and ${text.length - MAX_RAW_CHARACTERS} more characters`;
}
