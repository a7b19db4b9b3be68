import type { ContentBlock, Diff, ToolCallContent } from '../v1/types.gen.ts';

/** A content block as something a tool call shows. */
export function shownContent(content: ContentBlock): ToolCallContent {
  return { type: 'content', content };
}

/** Text as something a tool call shows. */
export function shownText(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** A change of one file. Leave `oldText` out, or null, for a file that did not exist; `''` is a file that was empty. */
export function shownDiff(diff: {
  readonly path: string;
  readonly oldText?: string | null;
  readonly newText: string;
}): ToolCallContent {
  return { type: 'diff', path: diff.path, oldText: diff.oldText ?? null, newText: diff.newText };
}

/** A terminal of `terminal/create`, to be shown with its output. Send it before the terminal is released. */
export function shownTerminal(terminalId: string): ToolCallContent {
  return { type: 'terminal', terminalId };
}

export function isNewFile(diff: Diff): boolean {
  return diff.oldText === null || diff.oldText === undefined;
}

/** What tool calls show, of this version or of a wider one: what is not known here is passed over. */
type Shown = readonly { readonly type: string }[] | null | undefined;

/** The diffs among what a tool call shows. */
export function diffsOf(content: Shown): Diff[] {
  return knownOf(content).flatMap((item) => (item.type === 'diff' ? [item] : []));
}

/** The text among what a tool call shows, one block per line. */
export function textOfToolCall(content: Shown): string {
  return knownOf(content)
    .flatMap((item) => (item.type === 'content' && item.content.type === 'text' ? [item.content.text] : []))
    .join('\n');
}

function knownOf(content: Shown): readonly ToolCallContent[] {
  return (content ?? []) as readonly ToolCallContent[];
}
