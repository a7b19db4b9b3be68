import type { ToolCallEntry } from '@parley/client';
import { customContentLabel, isCustomContent, textOfContent } from '@parley/protocol';
import { changedLines } from './changed-lines.ts';
import { printable, printableLine } from './printable.ts';
import type { Styles } from './styles.ts';

export interface DescribeToolCallOptions {
  readonly styles: Styles;
  readonly isVerbose: boolean;
  /** Leaves out what reading tools have read. */
  readonly hidesReads: boolean;
}

/** Lines of a change or an output that are shown. */
const MAX_SHOWN_LINES = 40;

/** One tool call as lines: what it is, where, and what it changed. */
export function describeToolCall(toolCall: ToolCallEntry, options: DescribeToolCallOptions): string {
  const { styles, isVerbose, hidesReads } = options;
  const { title, status, kind, locations, content } = toolCall;
  const lines = [`${styles.cyan('[tool]')} ${printableLine(title)} ${paintStatus(status, styles)}`];
  if (isVerbose)
    for (const { path, line } of locations) lines.push(styles.dim(`  ${printable(path)}${line ? `:${line}` : ''}`));
  const hasEnded = status === 'completed' || status === 'failed';
  for (const item of content) {
    if (item.type === 'diff') {
      if (hasEnded) lines.push(...describeDiff(item.path, item.oldText ?? '', item.newText, styles));
    } else if (item.type === 'content' && (isVerbose || status === 'failed') && !(hidesReads && kind === 'read')) {
      lines.push(
        ...indent(isCustomContent(item.content) ? customContentLabel(item.content) : textOfContent([item.content])),
      );
    } else if (isCustomContent(item)) {
      lines.push(`  ${printableLine(customContentLabel(item))}`);
    }
  }
  return lines.join('\n');
}

function describeDiff(path: string, oldText: string, newText: string, { red, green, dim }: Styles): readonly string[] {
  const { removed, added, firstLine } = changedLines(oldText, newText);
  const changes = [
    ...removed.map((line) => red(`  - ${printable(line)}`)),
    ...added.map((line) => green(`  + ${printable(line)}`)),
  ];
  const hidden = changes.length - MAX_SHOWN_LINES;
  return [
    `  ${printable(path)}:${firstLine} ${green(`+${added.length}`)} ${red(`-${removed.length}`)}`,
    ...changes.slice(0, MAX_SHOWN_LINES),
    ...(hidden > 0 ? [dim(`  ... ${hidden} more lines`)] : []),
  ];
}

function indent(text: string): readonly string[] {
  const lines = printable(text).trimEnd().split('\n');
  const hidden = lines.length - MAX_SHOWN_LINES;
  return [
    ...lines.slice(0, MAX_SHOWN_LINES).map((line) => `  ${line}`),
    ...(hidden > 0 ? [`  ... ${hidden} more lines`] : []),
  ];
}

function paintStatus(status: ToolCallEntry['status'], { green, red, dim }: Styles): string {
  const text = `(${status === 'in_progress' || status === 'pending' ? 'running' : status})`;
  if (status === 'completed') return green(text);
  return status === 'failed' ? red(text) : dim(text);
}
