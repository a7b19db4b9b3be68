import { wordBytes, wordCount } from '@parley/session/view';
import { Component, type JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Run, Screen, type ScreenLine } from './screen.ts';
import type { TextStyle } from './text-style.ts';

/** Of a longer output only the end is shown. */
const MAX_SHOWN_CHARACTERS = 200_000;
/** What is shown of an output before somebody asks for more. */
const FOLDED_LINES = 12;

export interface TerminalViewProps {
  readonly output: string;
  readonly isRunning: boolean;
  /** The agent, or the transcript, has left out the beginning. */
  readonly isTruncated: boolean;
}

/** The output of a command with its colours: its last lines, and on demand as much as fits. */
export function TerminalView({ output, isRunning, isTruncated }: TerminalViewProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const { lines, dropped, skipped } = useScreen(output);
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  if (lines.length === 0) return isRunning ? <p class="terminal-note">No output yet</p> : null;
  const shown = isOpen ? lines : lines.slice(-FOLDED_LINES);
  const hidden = lines.length - shown.length;
  const onScroll = (): void => {
    const { current } = box;
    if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 24;
  };
  return (
    <div class="terminal">
      {(isTruncated || skipped > 0 || dropped > 0) && (
        <p class="terminal-note">{wordLoss(output, { isTruncated, skipped, dropped })}</p>
      )}
      {lines.length > FOLDED_LINES && (
        <button type="button" class="text-button terminal-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show ${wordCount(hidden, 'earlier line')}`}
        </button>
      )}
      <pre ref={box} class="terminal-text" dir="ltr" onScroll={onScroll} {...(isOpen && FOCUSABLE)}>
        {shown.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </pre>
    </div>
  );
}

/** What scrolls must be reached by the keyboard. */
const FOCUSABLE = { tabIndex: 0 };

/** Writes only what is new to the screen, for as long as the output grows. */
function useScreen(output: string): {
  readonly lines: readonly ScreenLine[];
  readonly dropped: number;
  readonly skipped: number;
} {
  const state = useRef<{ screen: Screen; written: string; skipped: number }>(undefined);
  const known = state.current;
  if (!known || !output.startsWith(known.written) || output.length - known.written.length > MAX_SHOWN_CHARACTERS) {
    const skipped = Math.max(0, output.length - MAX_SHOWN_CHARACTERS);
    const start = skipped === 0 ? 0 : output.indexOf('\n', skipped) + 1 || skipped;
    const screen = new Screen();
    screen.write(output.slice(start));
    state.current = { screen, written: output, skipped: start };
  } else if (output.length > known.written.length) {
    known.screen.write(output.slice(known.written.length));
    known.written = output;
  }
  const { screen, skipped } = state.current as NonNullable<typeof known>;
  return { lines: screen.lines, dropped: screen.droppedLines, skipped };
}

function wordLoss(
  output: string,
  loss: { readonly isTruncated: boolean; readonly skipped: number; readonly dropped: number },
): string {
  if (loss.skipped > 0) return `The first ${wordBytes(loss.skipped)} of ${wordBytes(output.length)} are not shown`;
  if (loss.dropped > 0)
    return `The first ${wordCount(loss.dropped, 'line')} of ${wordBytes(output.length)} are not shown`;
  return `The beginning was left out; these are the last ${wordBytes(output.length)}`;
}

/** A line is another object when it has changed. */
class Line extends Component<{ readonly line: ScreenLine }> {
  override shouldComponentUpdate({ line }: { readonly line: ScreenLine }): boolean {
    return line !== this.props.line;
  }

  override render({ line }: { readonly line: ScreenLine }): JSX.Element {
    return <div class="terminal-line">{line.runs.length === 0 ? '\n' : line.runs.map(drawRun)}</div>;
  }
}

function drawRun({ text, style }: Run, index: number): JSX.Element | string {
  if (!style) return text;
  return (
    <span key={index} class={classesOf(style)} style={colorsOf(style)}>
      {text}
    </span>
  );
}

function classesOf(style: TextStyle): string {
  const [color, background] = style.isInverse
    ? [style.background ?? 'inverse', style.color ?? 'inverse']
    : [style.color, style.background];
  return [
    typeof color === 'number' || color === 'inverse' ? `ansi-fg-${color}` : '',
    typeof background === 'number' || background === 'inverse' ? `ansi-bg-${background}` : '',
    style.isBold ? 'ansi-bold' : '',
    style.isDim ? 'ansi-dim' : '',
    style.isItalic ? 'ansi-italic' : '',
    style.isUnderlined ? 'ansi-underlined' : '',
    style.isStruck ? 'ansi-struck' : '',
  ]
    .filter((name) => name !== '')
    .join(' ');
}

/** Colours of their own are `#rrggbb` by construction. */
function colorsOf(style: TextStyle): { readonly color?: string; readonly background?: string } | undefined {
  const [color, background] = style.isInverse ? [style.background, style.color] : [style.color, style.background];
  if (typeof color !== 'string' && typeof background !== 'string') return undefined;
  return { ...(typeof color === 'string' && { color }), ...(typeof background === 'string' && { background }) };
}
