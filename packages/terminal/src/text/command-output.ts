import { cleanText, nextEscape } from './clean-text.ts';
import type { Line, Span, Style } from './styled-text.ts';

/**
 * The output of a command as lines: its colours are kept, everything else that it tells a terminal is not. A carriage
 * return begins the line anew, so that of a progress bar only the last state is left.
 */
export function parseCommandOutput(output: string): Line[] {
  const lines: Line[] = [];
  let style: Style | undefined;
  for (const raw of output.split('\n')) {
    const { line, styleAfter } = parseLine(lastState(raw), style);
    lines.push(line);
    style = styleAfter;
  }
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** The last lines of an output, without reading all of it. */
export function tailOfOutput(output: string, maxLines: number): Line[] {
  const end = output.endsWith('\n') ? output.length - 1 : output.length;
  let start = end;
  for (let count = 0; count < maxLines && start > 0; count += 1) start = output.lastIndexOf('\n', start - 1);
  const tail = output.slice(start <= 0 ? 0 : start + 1, end);
  // A line without end could still be megabytes.
  return parseCommandOutput(tail.slice(-maxLines * MAX_TAIL_LINE)).slice(-maxLines);
}

const MAX_TAIL_LINE = 4096;

function lastState(raw: string): string {
  const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
  return text.slice(text.lastIndexOf('\r') + 1);
}

function parseLine(text: string, before: Style | undefined): { line: Line; styleAfter: Style | undefined } {
  const line: Span[] = [];
  let style = before;
  let position = 0;
  while (position < text.length) {
    const sequence = nextEscape(text, position);
    const piece = cleanText(text.slice(position, sequence.start));
    if (piece !== '') line.push({ text: piece, style });
    if (sequence.sgr !== undefined) style = applySgr(style, sequence.sgr);
    position = sequence.end;
  }
  return { line, styleAfter: style };
}

const TOGGLES: Readonly<Record<string, Style>> = {
  '1': { isBold: true },
  '2': { isDim: true },
  '3': { isItalic: true },
  '4': { isUnderlined: true },
  '7': { isInverse: true },
  '9': { isStruck: true },
  '22': { isBold: false, isDim: false },
  '23': { isItalic: false },
  '24': { isUnderlined: false },
  '27': { isInverse: false },
  '29': { isStruck: false },
};

/** What it does not know, such as hidden or blinking text, it leaves out. */
function applySgr(before: Style | undefined, parameters: string): Style | undefined {
  let style: Style | undefined = before;
  const codes = parameters.replaceAll(':', ';').split(';');
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? '';
    const toggle = TOGGLES[code];
    if (code === '' || Number(code) === 0) style = undefined;
    else if (toggle) style = { ...style, ...toggle };
    else if (code === '38' || code === '48') {
      const length = codes[index + 1] === '5' ? 3 : codes[index + 1] === '2' ? 5 : 1;
      const color = codes.slice(index, index + length).join(';');
      if (length > 1) style = { ...style, ...(code === '38' ? { foreground: color } : { background: color }) };
      index += length - 1;
    } else if (/^(3[0-7]|9[0-7])$/.test(code)) style = { ...style, foreground: code };
    else if (/^(4[0-7]|10[0-7])$/.test(code)) style = { ...style, background: code };
    else if (code === '39') style = without(style, 'foreground');
    else if (code === '49') style = without(style, 'background');
  }
  return style;
}

function without(style: Style | undefined, field: 'foreground' | 'background'): Style | undefined {
  if (!style) return undefined;
  const { [field]: _dropped, ...rest } = style;
  return rest;
}
