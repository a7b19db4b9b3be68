import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../copy-button.tsx';
import { onceVisible } from '../once-visible.ts';
import { visibleText } from '../visible-text.ts';
import type { CodePiece } from './highlighted.ts';

/** Longer code is shown plain. */
const MAX_HIGHLIGHTED = 100_000;
/** Lines that are drawn as one, so that code that grows is not laid out anew with each line. */
const PART_LINES = 50;

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** It is still being written, and plain until it is complete. */
  readonly isOpen?: boolean;
  readonly label?: string;
}

/** A block of code. Its colours come when it is complete and seen. */
export function CodeBlock({ code, language, isOpen = false, label }: CodeBlockProps): JSX.Element {
  const element = useRef<HTMLPreElement>(null);
  const [colored, setColored] = useState<{ readonly code: string; readonly pieces: readonly CodePiece[] }>();
  const name =
    language
      .trim()
      .split(/[\s{:,]/)[0]
      ?.toLowerCase() ?? '';
  const isPlain = isOpen || name === '' || code.length > MAX_HIGHLIGHTED;
  useEffect(() => {
    if (isPlain || !element.current) return;
    let isWanted = true;
    const stop = onceVisible(element.current, async () => {
      const { highlight } = await import('./highlighter.ts');
      const pieces = highlight(code, name);
      if (isWanted && pieces) setColored({ code, pieces });
    });
    return () => {
      isWanted = false;
      stop();
    };
  }, [code, name, isPlain]);
  const pieces = colored?.code === code ? colored.pieces : undefined;
  return (
    <div class="code">
      <div class="code-head">
        <span class="code-language">{label ?? name}</span>
        <CopyButton text={code} what="code" />
      </div>
      <pre ref={element} class="code-text" dir="ltr">
        <code>{pieces ? pieces.map(drawPiece) : drawPlain(code)}</code>
      </pre>
    </div>
  );
}

function drawPiece({ text, names }: CodePiece, index: number): JSX.Element | string {
  const shown = visibleText(text);
  return names === '' ? (
    shown
  ) : (
    <span key={index} class={names}>
      {shown}
    </span>
  );
}

function drawPlain(code: string): JSX.Element[] {
  const parts: JSX.Element[] = [];
  let lines = 0;
  let start = 0;
  for (let end = code.indexOf('\n'); end >= 0; end = code.indexOf('\n', end + 1)) {
    lines += 1;
    if (lines % PART_LINES !== 0) continue;
    parts.push(drawPart(code.slice(start, end + 1), start));
    start = end + 1;
  }
  if (start < code.length || code === '') parts.push(drawPart(code.slice(start), start));
  return parts;
}

function drawPart(text: string, start: number): JSX.Element {
  return (
    <span key={start} class="code-part">
      {visibleText(text)}
    </span>
  );
}
