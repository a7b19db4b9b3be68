import type { CompactionEntry, NoticeEntry, UnknownEntry } from '@parley/client';
import { assertNever, RpcError } from '@parley/jsonrpc';
import { type ContentBlock, customContentLabel, detailsOfError } from '@parley/protocol';
import { type TurnEnding, wordTurnEnd } from '@parley/session/view';
import {
  cleanLine,
  cleanText,
  type Line,
  STYLES,
  type Style,
  shortLine,
  withPrefix,
  wrapOutput,
  wrapWords,
} from '@parley/terminal';
import type { ViewOptions } from './view-options.ts';
import { wordBytes, wordCount } from './wording.ts';

const MAX_PROMPT_LINES = 20;
const MAX_VARIANT = 80;

/** What the person said. Of a long paste only the beginning is repeated. */
export function viewPrompt(text: string, { width, marks }: ViewOptions): Line[] {
  const lines = cleanText(text).trimEnd().split('\n');
  const shown = lines.slice(0, MAX_PROMPT_LINES);
  const rows = shown.flatMap((line) => wrapOutput([{ text: line, style: STYLES.bold }], Math.max(1, width - 2)));
  const more = lines.length - shown.length;
  if (more > 0) rows.push([{ text: `… ${wordCount(more, 'more line')}`, style: STYLES.dim }]);
  return withPrefix(rows, [{ text: `${marks.prompt} `, style: STYLES.prompt }]);
}

/** Content that a terminal cannot show, in words. */
export function wordContent(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${wordBytes(Math.floor((block.data.length * 3) / 4))}]`;
    case 'resource_link':
      return `[link ${block.title ?? block.name}: ${block.uri}]`;
    case 'resource':
      return `[resource ${block.resource.uri}]`;
    default:
      return customContentLabel(block);
  }
}

/** What is neither said nor done by a tool, as a remark. */
export function viewRemark(entry: RemarkEntry, options: ViewOptions): Line[] {
  const { text, style } = wordRemark(entry);
  return viewNote(text, options, style);
}

export type RemarkEntry = NoticeEntry | CompactionEntry | UnknownEntry;

/** The same in one line of words. An unknown update shows its kind only; traces and JSON output have its body. */
export function wordRemark(
  entry:
    | Pick<NoticeEntry, 'type' | 'severity' | 'title' | 'description'>
    | Pick<CompactionEntry, 'type' | 'status' | 'error'>
    | Pick<UnknownEntry, 'type' | 'variant'>,
): { readonly text: string; readonly style: Style | undefined } {
  switch (entry.type) {
    case 'notice': {
      const { severity, title, description = '' } = entry;
      const style = severity === 'error' ? STYLES.bad : severity === 'warning' ? STYLES.warning : undefined;
      return { text: cleanLine(description.trim() === '' ? title : `${title}: ${description}`), style };
    }
    case 'compaction': {
      const because = entry.error === undefined ? '' : `: ${entry.error}`;
      return { text: cleanLine(`The agent made its context shorter (${entry.status})${because}`), style: STYLES.dim };
    }
    case 'unknown':
      return { text: `Unknown update "${shortLine(entry.variant, MAX_VARIANT)}"`, style: STYLES.dim };
    default:
      return assertNever(entry);
  }
}

/** How a turn ended, where that is not obvious. */
export function viewTurnEnd(turn: TurnEnding, options: ViewOptions): Line[] {
  const words = wordTurnEnd(turn);
  if (words === undefined) return [];
  return viewNote(cleanText(words.text), options, words.isBad ? STYLES.bad : STYLES.dim);
}

/** What went wrong, with the details that an agent puts beside its message. */
export function wordError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof RpcError ? detailsOfError(error) : undefined;
  return details === undefined ? error.message : `${error.message}: ${cleanText(details)}`;
}

/** A remark of ours, such as an error, with its mark in the first column. */
export function viewNote(text: string, { width, marks }: ViewOptions, style?: Style): Line[] {
  const rows = text.split('\n').flatMap((line) => wrapWords([{ text: line, style }], Math.max(1, width - 2)));
  const isAlarming = style === STYLES.bad || style === STYLES.warning;
  return withPrefix(rows, [{ text: `${isAlarming ? marks.notice : marks.remark} `, style }]);
}
