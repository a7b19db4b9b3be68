import { getTerminal, type TerminalRecord, type ToolCallEntry, type Transcript } from '@parley/client';
import { customContentLabel, isCustomContent, textOfToolCall } from '@parley/protocol';
import { textOfChanges } from '@parley/session';
import { diffPartsOf, shownDiffsOf } from '@parley/session/view';
import {
  cleanLine,
  clip,
  type Line,
  restyle,
  type Span,
  STYLES,
  shortLine,
  tailOfOutput,
  withPrefix,
  wrapOutput,
  wrapWords,
} from '@parley/terminal';
import { countChanges, type DiffView, viewDiff } from '@parley/terminal/diff';
import type { ViewOptions } from './view-options.ts';
import { wordCount, wordDuration, wordPath } from './wording.ts';

/** How much of a tool call is shown; all of it comes with ctrl+o or --verbose. */
const MAX_DIFF_ROWS = 24;
/** Rows of a diff in a permission question that are shown before it is folded. */
const MAX_PROPOSED_DIFF_ROWS = 500;
const MAX_OUTPUT_ROWS = 5;
const MAX_FAILURE_ROWS = 10;
const MAX_DETAILED_ROWS = 2000;
/** How much of a running command is shown. */
const LIVE_OUTPUT_ROWS = 3;
const MAX_TITLE = 400;
const BODY_INDENT: Line = [{ text: '    ' }];

export interface ToolCallViewOptions extends ViewOptions {
  /** The diffs were shown already, with a permission question. */
  readonly hidesDiffs?: boolean;
}

/** A tool call that has ended, as it stays in the scrollback. */
export function viewToolCall(call: ToolCallEntry, transcript: Transcript, options: ToolCallViewOptions): Line[] {
  return [...viewHead(call, transcript, options), ...viewToolCallBody(call, transcript, options)];
}

/** What a tool call that has ended did: where, what it changed, and what came out. Every line is indented. */
export function viewToolCallBody(call: ToolCallEntry, transcript: Transcript, options: ToolCallViewOptions): Line[] {
  const body = [
    ...viewLocations(call, options),
    ...(options.hidesDiffs ? [] : viewDiffs(call, options).flatMap(({ lines }) => lines)),
    ...viewNamedChanges(call, options),
    ...viewOutput(call, transcript, options),
  ];
  return withPrefix(body, BODY_INDENT);
}

/** A tool call that runs: what it is, and the last lines of its output. */
export function viewRunningToolCall(
  call: ToolCallEntry,
  transcript: Transcript,
  options: ViewOptions & { readonly spin: number },
): Line[] {
  const output =
    terminalsOf(call, transcript)
      .map(({ output: text }) => text)
      .join('\n') || textOfToolCall(call.content);
  const tail = call.kind === 'read' ? [] : tailOfOutput(output, LIVE_OUTPUT_ROWS);
  const room = options.width - 4;
  return [
    ...viewHead(call, transcript, { ...options, isRunning: true }).slice(0, 2),
    ...tail.map((line) => [...BODY_INDENT, ...restyle(clip(line, room), STYLES.dim)]),
  ];
}

/** The diffs of a tool call by themselves, for a permission question. */
export function viewProposedDiffs(call: Pick<ToolCallEntry, 'content' | 'title'>, options: ViewOptions): Line[] {
  const lines = viewDiffs(call, options, MAX_PROPOSED_DIFF_ROWS).flatMap((diff) => diff.lines);
  return withPrefix(lines, BODY_INDENT);
}

/** The head of a tool call where there are no signs: `Edit a.ts (completed, +1 -1)`. */
export function viewWordedHead(call: ToolCallEntry, transcript: Transcript): Line {
  const facts = [WORDED_STATUS[call.status] ?? cleanLine(call.status), ...wordFacts(call, transcript, hasEnded(call))];
  const style = call.status === 'completed' ? STYLES.good : call.status === 'failed' ? STYLES.bad : STYLES.dim;
  return [{ text: `${shortLine(call.title, MAX_TITLE)} ` }, { text: `(${facts.join(', ')})`, style }];
}

export function hasEnded({ status }: Pick<ToolCallEntry, 'status'>): boolean {
  // A status that only some agent knows is none of an end.
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

const WORDED_STATUS: Readonly<Record<string, string>> = {
  pending: 'running',
  in_progress: 'running',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

interface HeadOptions extends ViewOptions {
  readonly isRunning?: boolean;
  readonly spin?: number;
}

function viewHead(call: ToolCallEntry, transcript: Transcript, options: HeadOptions): Line[] {
  const mark = markOf(call, options);
  const indent = call.parentToolCallId === undefined ? '' : '  ';
  const title: Span[] = [{ text: shortLine(call.title, MAX_TITLE) }];
  const facts = wordFacts(call, transcript, !options.isRunning);
  if (!hasEnded(call) && call.at !== undefined && options.now - call.at >= 1000)
    facts.push(wordDuration(options.now - call.at));
  for (const fact of facts) title.push({ text: `  ${fact}`, style: STYLES.dim });
  const prefix: Line = [{ text: indent }, mark, { text: ' ' }];
  return withPrefix(wrapWords(title, Math.max(1, options.width - indent.length - 2)), prefix);
}

function markOf({ status }: ToolCallEntry, { marks, spin = 0 }: HeadOptions): Span {
  switch (status) {
    case 'completed':
      return { text: marks.done, style: STYLES.good };
    case 'failed':
      return { text: marks.failed, style: STYLES.bad };
    case 'cancelled':
      return { text: marks.cancelled, style: STYLES.dim };
    case 'pending':
    case 'paused':
      return { text: marks.pending, style: STYLES.dim };
    default:
      return { text: marks.running[spin % marks.running.length] ?? marks.pending, style: STYLES.active };
  }
}

function wordFacts(call: ToolCallEntry, transcript: Transcript, hasDiffs: boolean): string[] {
  const facts: string[] = [];
  const diffs = hasDiffs ? shownDiffsOf(call.content) : [];
  if (diffs.length > 0) {
    const counts = diffs.map(({ hunks }) => countChanges(hunks));
    const sum = (side: 'added' | 'removed'): number => counts.reduce((most, each) => most + each[side], 0);
    facts.push(`+${sum('added')} -${sum('removed')}`);
  }
  for (const { exit } of terminalsOf(call, transcript)) {
    if (exit?.signal) facts.push(`ended by ${exit.signal}`);
    else if (exit?.exitCode) facts.push(`exit ${exit.exitCode}`);
  }
  if (call.at !== undefined && call.endedAt !== undefined && call.endedAt - call.at >= 1000) {
    facts.push(wordDuration(call.endedAt - call.at));
  }
  return facts;
}

function viewDiffs(
  call: Pick<ToolCallEntry, 'content' | 'title'>,
  options: ViewOptions,
  mostRows: number = MAX_DIFF_ROWS,
): { view: DiffView; lines: Line[] }[] {
  // What somebody decides about can always be seen whole.
  const maxDetailed = mostRows === MAX_PROPOSED_DIFF_ROWS ? Number.POSITIVE_INFINITY : MAX_DETAILED_ROWS;
  const maxRows = options.isDetailed ? maxDetailed : mostRows;
  const diffs = shownDiffsOf(call.content);
  return diffs.map((diff) => {
    const { hunks, note, endsWithoutBreak = false } = diff;
    const view = viewDiff(hunks, {
      width: Math.max(1, options.width - 4),
      maxRows,
      endsWithoutBreak,
      path: diff.path,
      theme: options.theme,
    });
    const path = wordPath(diff.path, options.cwd, options.home);
    const isNamed = diffs.length === 1 && call.title.includes(path) && note === undefined;
    const label: Line = [{ text: note === undefined ? path : `${path} (${cleanLine(note)})`, style: STYLES.bold }];
    const more: Line = [
      { text: `… ${wordCount(view.hidden, 'more changed line')}${wordMore(view.hidden, options)}`, style: STYLES.dim },
    ];
    return {
      view,
      lines: [
        ...(isNamed ? [] : wrapOutput(label, Math.max(1, options.width - 4))),
        ...view.lines,
        ...(view.hidden > 0 ? [more] : []),
      ],
    };
  });
}

/** Where it worked, for whoever wants to know everything. */
function viewLocations({ locations }: ToolCallEntry, options: ViewOptions): Line[] {
  if (!options.isDetailed) return [];
  return locations.flatMap(({ path, line }) => {
    const place = `${wordPath(cleanLine(path), options.cwd, options.home)}${line ? `:${line}` : ''}`;
    return wrapOutput([{ text: place, style: STYLES.dim }], Math.max(1, options.width - 4));
  });
}

/** Files that were changed, of which the agent shows no lines: no edit is passed over in silence. */
function viewNamedChanges({ content }: ToolCallEntry, options: ViewOptions): Line[] {
  const diffs = new Set(diffPartsOf(content));
  const rows = content.flatMap((item) =>
    item.type === 'changes' && !diffs.has(item) ? textOfChanges(item).trimEnd().split('\n') : [],
  );
  const maxRows = options.isDetailed ? MAX_DETAILED_ROWS : MAX_DIFF_ROWS;
  const hidden = rows.length - maxRows;
  const room = Math.max(1, options.width - 4);
  return [
    ...rows.slice(0, maxRows).flatMap((row) => wrapOutput([{ text: cleanLine(row), style: STYLES.dim }], room)),
    ...(hidden > 0
      ? [[{ text: `… ${wordCount(hidden, 'more line')}${wordMore(hidden, options)}`, style: STYLES.dim }]]
      : []),
  ];
}

/** What a view cannot show, by its name; a part that nobody knows also as it came. */
function labelOf(part: { readonly type: string; readonly raw?: unknown }): string {
  if (part.type !== 'unknown') return customContentLabel(part);
  const { type, ...rest } = (part.raw ?? {}) as Readonly<Record<string, unknown>>;
  return `${customContentLabel({ type: String(type) })} ${JSON.stringify(rest).slice(0, MAX_TITLE)}`;
}

/** The end of the output, which is what matters of a command; of what was only read or found, nothing. */
function viewOutput(call: ToolCallEntry, transcript: Transcript, options: ViewOptions): Line[] {
  const terminals = terminalsOf(call, transcript);
  const text = withoutFence(textOfToolCall(call.content));
  const custom = call.content.map((item) => (item.type === 'content' ? item.content : item)).filter(isCustomContent);
  const output = [
    ...terminals.map((terminal) => terminal.output),
    ...(text === '' ? [] : [text]),
    ...custom.map(labelOf),
  ].join('\n');
  const isTruncated = terminals.some((terminal) => terminal.isTruncated);
  const isQuiet = QUIET_KINDS.has(call.kind) && call.status !== 'failed' && !options.isDetailed;
  const isHidden = options.hidesReads === true && call.kind === 'read';
  if (output.trim() === '' || isQuiet || isHidden) return [];
  const maxRows = options.isDetailed
    ? MAX_DETAILED_ROWS
    : call.status === 'failed'
      ? MAX_FAILURE_ROWS
      : MAX_OUTPUT_ROWS;
  const room = Math.max(1, options.width - 4);
  // Only the end is taken apart: the whole may be megabytes.
  const rows = tailOfOutput(output.trimEnd(), maxRows).flatMap((line) => wrapOutput(line, room));
  const shown = rows.slice(-maxRows).map((line) => restyle(line, STYLES.dim));
  const hidden = Math.max(rows.length - shown.length, countLines(output.trimEnd()) - maxRows);
  if (hidden <= 0 && !isTruncated) return shown;
  const note =
    hidden > 0 ? `${wordCount(hidden, 'earlier line')}${wordMore(hidden, options)}` : 'the beginning was dropped';
  return [[{ text: `… ${note}`, style: STYLES.dim }], ...shown];
}

/** How to see what is hidden, as far as there is a way. */
function wordMore(hidden: number, { isDetailed, showsAll }: ViewOptions): string {
  if (isDetailed || showsAll === undefined) return '';
  return ` (${showsAll} shows ${hidden + MAX_DIFF_ROWS <= MAX_DETAILED_ROWS ? 'all' : MAX_DETAILED_ROWS})`;
}

function countLines(text: string): number {
  let lines = 1;
  for (let place = text.indexOf('\n'); place >= 0; place = text.indexOf('\n', place + 1)) lines += 1;
  return lines;
}

const QUIET_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'edit', 'delete', 'move', 'switch_mode']);

function terminalsOf(call: ToolCallEntry, transcript: Transcript): TerminalRecord[] {
  return call.content.flatMap((item) => {
    const terminal = item.type === 'terminal' ? getTerminal(transcript, item.terminalId) : undefined;
    return terminal ? [terminal] : [];
  });
}

/** Some agents wrap the output of a tool in a code block for clients that show Markdown. */
function withoutFence(text: string): string {
  return /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
