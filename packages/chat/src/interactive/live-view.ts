import type { ToolCallEntry, Transcript } from '@parley/client';
import { cleanLine, clip, EMPTY_LINE, type Line, restyle, type Span, STYLES, tailOfOutput } from '@parley/terminal';
import { layoutEditor } from '@parley/terminal/input';
import type { LiveRegion } from '@parley/terminal/screen';
import type { Dialog } from '../dialogs/dialog.ts';
import type { Composer } from '../prompt/composer.ts';
import type { ShellRun } from '../shell/shell-run.ts';
import { viewPlanProgress } from '../view/plan-view.ts';
import { viewRunningToolCall } from '../view/tool-call-view.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { wordCount, wordDuration } from '../view/wording.ts';
import { type StatusFacts, viewStatus } from './view/status-line.ts';

/** Everything that the live region shows. */
export interface LiveState {
  readonly agentTitle: string;
  readonly transcript: Transcript | undefined;
  readonly branch: string | undefined;
  readonly permissions: StatusFacts['permissions'] & {};
  readonly isSwitched: boolean;
  readonly keys?: string | undefined;
  /** A command of the person that runs. */
  readonly shell?: Pick<ShellRun, 'command' | 'output'> | undefined;
  /** The end of the message that comes. */
  readonly tail: readonly Line[];
  /** The tool calls that run. */
  readonly running: readonly ToolCallEntry[];
  readonly isThinking: boolean;
  /** What we wait for before there is a session. */
  readonly phase: string | undefined;
  readonly queue: readonly string[];
  /** How many of those, the first ones, are for the turn that runs. */
  readonly steering: number;
  /** Whether what is sent now can reach that turn. */
  readonly canSteer: boolean;
  readonly dialog: Dialog | undefined;
  readonly composer: Composer;
  readonly hint: string;
  /** Counts up while something runs. */
  readonly spin: number;
  readonly rows: number;
}

/** How much each part may take, so that the whole stays small and a smaller window has room for it. */
const MAX_TAIL_ROWS = 8;
const MAX_RUNNING = 3;
const MAX_QUEUE_ROWS = 3;
const MAX_SHELL_ROWS = 5;
const MAX_EDITOR_ROWS = 8;
const MAX_COMPLETION_ROWS = 8;
/** In a lower window a question needs the row of the status. */
const MIN_ROWS_FOR_STATUS = 8;

/** The live region: what happens now, what is asked, and below all the place where the person writes. */
export function viewLive(state: LiveState, options: ViewOptions): LiveRegion {
  const { dialog, composer, rows } = state;
  const editorRows = Math.max(1, Math.min(MAX_EDITOR_ROWS, Math.floor(rows / 3)));
  const prompt = viewPromptMark(options);
  const { lines, caret } = layoutEditor(dialog?.editor ?? composer.editor, {
    width: options.width,
    maxRows: editorRows,
    prompt,
    ...(dialog ? {} : { placeholder: placeholderOf(state) }),
  });
  const isTight = rows < MIN_ROWS_FOR_STATUS && dialog !== undefined;
  const askedRows = Math.max(1, rows - 1 - lines.length - (isTight ? 0 : 1));
  const bottom = [
    ...(dialog?.view(options, askedRows) ?? []),
    ...viewSearch(composer, options),
    ...viewCompletion(composer, options, Math.max(1, Math.min(MAX_COMPLETION_ROWS, rows - 4))),
    ...(isTight ? [] : [viewStatus(state, options)]),
  ];
  const room = Math.max(1, rows - 1 - bottom.length - lines.length);
  const happening = fit(state, options, room);
  const top = happening.length === 0 && room > 1 ? [EMPTY_LINE] : happening;
  return {
    lines: [...top, ...bottom, ...lines],
    caret: { row: top.length + bottom.length + caret.row, column: caret.column },
  };
}

/** Stands before what the person writes. */
export function viewPromptMark({ marks }: ViewOptions): Line {
  return [{ text: `${marks.prompt} `, style: STYLES.prompt }];
}

/** What happens now, in at most so many rows; the message that comes gives way first. */
function fit(state: LiveState, options: ViewOptions, room: number): Line[] {
  const spinning = { ...options, spin: state.spin };
  const shown = state.running.slice(-MAX_RUNNING);
  const below: Line[] = [
    ...(shown.length > 0 ? [EMPTY_LINE] : []),
    ...shown.flatMap((call) => (state.transcript ? viewRunningToolCall(call, state.transcript, spinning) : [])),
    ...viewMore(state.running.length - shown.length),
    // When a turn has ended, its plan is printed.
    ...viewPlanProgress(state.transcript?.state === 'idle' ? [] : (state.transcript?.plan ?? []), spinning),
    ...viewShell(state, options),
    ...viewActivity(state, options),
    ...viewQueue(state, options),
  ].slice(-room);
  const tailRows = Math.max(0, Math.min(MAX_TAIL_ROWS, room - below.length));
  return [...(tailRows > 0 ? state.tail.slice(-tailRows) : []), ...below];
}

function viewMore(count: number): Line[] {
  return count > 0 ? [[{ text: `  … and ${wordCount(count, 'more tool call')}`, style: STYLES.dim }]] : [];
}

/** The end of what a command of the person writes. */
function viewShell({ shell }: LiveState, { width }: ViewOptions): Line[] {
  if (!shell || shell.output.trim() === '') return [];
  const rows = tailOfOutput(shell.output.trimEnd(), MAX_SHELL_ROWS);
  return [EMPTY_LINE, ...rows.map((row) => [{ text: '  ' }, ...restyle(clip(row, width - 2), STYLES.dim)])];
}

/** One line that says what is being waited for. */
function viewActivity(state: LiveState, options: ViewOptions): Line[] {
  const words = wordActivity(state, options.now);
  if (words === undefined) return [];
  const { running } = options.marks;
  const spans: Span[] = [
    { text: running[state.spin % running.length] ?? '', style: STYLES.active },
    { text: ` ${cleanLine(words)}`, style: STYLES.dim },
  ];
  return [EMPTY_LINE, clip(spans, options.width)];
}

function wordActivity({ transcript, phase, isThinking, shell }: LiveState, now: number): string | undefined {
  if (phase !== undefined) return phase;
  if (shell) return `Running ${shell.command}`;
  const turn = transcript?.turns.at(-1);
  const lasted = turn?.startedAt === undefined ? '' : ` ${wordDuration(now - turn.startedAt)}`;
  switch (transcript?.state) {
    case 'running':
      return isThinking ? `Thinking${lasted} (ctrl+t shows)` : `Working${lasted}`;
    case 'cancelling':
      return `Stopping${lasted}; esc once more stops waiting`;
    default:
      return undefined;
  }
}

function viewQueue({ queue, steering }: LiveState, { width }: ViewOptions): Line[] {
  if (queue.length === 0) return [];
  const shown = queue.slice(0, MAX_QUEUE_ROWS).map((text, index): Line => {
    const note = index === queue.length - 1 ? '  (up takes it back)' : '';
    return clip(
      [
        {
          text: `  ${index < steering ? 'for this turn' : `queued ${index - steering + 1}`}: ${cleanLine(text)}`,
          style: STYLES.dim,
        },
        { text: note, style: STYLES.dim },
      ],
      width,
    );
  });
  const more = queue.length - shown.length;
  return more > 0
    ? [...shown, [{ text: `  … ${more} more queued (up takes the last back)`, style: STYLES.dim }]]
    : shown;
}

function viewSearch({ search }: Composer, { width }: ViewOptions): Line[] {
  if (!search) return [];
  const found = search.found === '' && search.query !== '' ? 'nothing found' : cleanLine(search.found);
  return [
    clip(
      [
        { text: `  search: ${cleanLine(search.query)}`, style: STYLES.bold },
        { text: `  ${found}`, style: STYLES.dim },
      ],
      width,
    ),
  ];
}

/** The part of the list around what is selected. */
function viewCompletion({ completion }: Composer, { width }: ViewOptions, maxRows: number): Line[] {
  if (!completion) return [];
  const { items } = completion.completion;
  const first = Math.max(0, Math.min(completion.selected - maxRows + 1, items.length - maxRows));
  const rows: Line[] = items.slice(first, first + maxRows).map((item, place) => {
    const isSelected = first + place === completion.selected;
    const row: Span[] = [{ text: '  ' }, { text: item.label, style: isSelected ? STYLES.selected : undefined }];
    if (item.description) row.push({ text: `  ${cleanLine(item.description)}`, style: STYLES.dim });
    return clip(row, width);
  });
  const hidden = items.length - rows.length;
  return hidden > 0 && maxRows > 1 ? [...rows, [{ text: `  … ${hidden} more (up, down)`, style: STYLES.dim }]] : rows;
}

function placeholderOf({ transcript, phase, canSteer }: LiveState): string {
  if (phase !== undefined) return 'You can write already';
  if (transcript?.state === 'lost') return 'Enter starts the agent again and sends this';
  if (transcript?.state === 'idle') return 'Message, / for commands, @ for files, ? for keys';
  return canSteer ? 'Enter sends into this turn, tab queues' : 'Write to queue a prompt';
}
