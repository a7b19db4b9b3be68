import type { ContentBlock } from '@parley/protocol';
import type { LoggedEvent, NewEvent } from '@parley/store';
import type { NoticeEvent, SessionEvent, StateEvent, TurnTokens, WithExtra, WithMeta } from './event.ts';
import { META } from './meta.ts';
import type { StopReason } from './parts.ts';
import type { Answer, Question } from './question.ts';

/**
 * One entry of a session's log. Outputs tell what has happened, and only the owner of the session writes them. Inputs tell what
 * somebody wants to happen; anybody may append them, and the owner acts on them in their order. This file alone knows how
 * entries are written: a log is read by later versions too, so a kind never changes its meaning.
 */
export type LogEntry = OutputEntry | InputEntry;

export type OutputEntry =
  | EventEntry
  | TurnStarted
  | TurnEnded
  | QuestionAsked
  | QuestionAnswered
  | QuestionWithdrawn
  | InputTaken
  | TurnsDropped;

export type InputEntry = PromptInput | CancelInput | CancelPartInput | AnswerInput | ChangeInput;

/** Something that every viewer sees. */
export interface EventEntry {
  readonly type: 'event';
  readonly event: SessionEvent;
}

export interface TurnStarted extends WithMeta {
  readonly type: 'turn_started';
  readonly turnId: string;
  /**
   * The oldest input before this entry that nobody may have acted on: one that waits, or the first entry that its writer had
   * not seen yet. Absent where there is none, since nobody else writes.
   */
  readonly oldestInput?: number;
}

/** Either the reason why it stopped, or the error that it failed with. */
export interface TurnEnded extends WithMeta, WithExtra {
  readonly type: 'turn_ended';
  readonly turnId: string;
  /** As for the beginning of a turn: with it nobody has to look further back for what is left to do. */
  readonly oldestInput?: number;
  readonly stopReason?: StopReason;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** The tokens that the turn has used, as far as it tells. */
  readonly tokens?: TurnTokens;
  /** Its prompt was withdrawn while it waited: nobody saw a beginning, and nobody is told of the end. */
  readonly neverBegan?: boolean;
}

export interface QuestionAsked {
  readonly type: 'question_asked';
  readonly turnId: string;
  readonly question: Question;
}

export interface QuestionAnswered {
  readonly type: 'question_answered';
  readonly questionId: string;
  readonly answer: Answer;
  /** Who answered, for the others to see. */
  readonly by: string;
}

/** Nobody needs an answer any more: the turn has ended, or the time was up. */
export interface QuestionWithdrawn {
  readonly type: 'question_withdrawn';
  readonly questionId: string;
}

/** The owner has acted on an input that has no other trace, or refuses it with `error`. */
export interface InputTaken {
  readonly type: 'input_taken';
  /** The number of the input; 0 for a prompt that was never an entry of the log. */
  readonly seq: number;
  readonly error?: string;
  /** Of a prompt that became part of a turn which ran: the prompt, and the turn, whose end is also that of the prompt. */
  readonly promptId?: string;
  readonly turnId?: string;
}

/** Stands in the place of the turns before it, which are no longer kept. */
export interface TurnsDropped {
  readonly type: 'turns_dropped';
  /** How many there were, with those that were dropped before. */
  readonly turns: number;
  /** What they left behind that still holds: the title, the plan, the usage, and the summary of an agent that made its context shorter. */
  readonly state: readonly SessionEvent[];
}

/** Runs when everything before it has ended. Its turn has the same id, so that the turn's end is found by it. */
export interface PromptInput extends WithMeta {
  readonly type: 'prompt';
  readonly promptId: string;
  readonly content: readonly ContentBlock[];
  readonly by: string;
  /** The process that waits for its turn, as `newOwner` of the store names it. It runs the prompt when the session is free. */
  readonly process?: string;
  /** The turn that runs may take it; one that no turn takes has its own, in its order. */
  readonly steers?: boolean;
}

/** Asks for the end of one turn, be it running or still waiting. */
export interface CancelInput {
  readonly type: 'cancel';
  /** Default: the turn that runs when the owner reads this. */
  readonly turnId?: string;
  readonly by: string;
  /** Nobody has cancelled: the client that asked for the turn is gone. */
  readonly hasLeft?: boolean;
}

/** Asks for the end of one tool call, or of the command in one terminal; the turn goes on. */
export interface CancelPartInput {
  readonly type: 'cancel_part';
  readonly part: CancellablePart;
  readonly by: string;
}

/** What can be cancelled by itself while a turn runs. */
export type CancellablePart = { readonly toolCallId: string } | { readonly terminalId: string };

export interface AnswerInput {
  readonly type: 'answer';
  readonly questionId: string;
  readonly answer: Answer;
  readonly by: string;
}

/** Sets the mode (`id` is `mode`) or an option. */
export interface ChangeInput {
  readonly type: 'change';
  readonly id: string;
  readonly value: string | boolean;
  readonly by: string;
}

/** The kinds of entries beside events, as they stand in logs. Events stand there under their own type. */
const KINDS = {
  turn_started: 'turn_start',
  turn_ended: 'turn_end',
  question_asked: 'question_asked',
  question_answered: 'question_answered',
  question_withdrawn: 'question_withdrawn',
  input_taken: 'input_taken',
  turns_dropped: 'turns_dropped',
  prompt: 'prompt',
  cancel: 'cancel',
  cancel_part: 'cancel_part',
  answer: 'answer',
  change: 'change',
} as const satisfies Record<Exclude<LogEntry['type'], 'event'>, string>;

const TYPES: ReadonlyMap<string, Exclude<LogEntry['type'], 'event'>> = new Map(
  (Object.keys(KINDS) as (keyof typeof KINDS)[]).map((type) => [KINDS[type], type]),
);

const INPUTS: ReadonlySet<string> = new Set<InputEntry['type']>([
  'prompt',
  'cancel',
  'cancel_part',
  'answer',
  'change',
]);

/** An entry as the store takes it. */
export function writeEntry(entry: LogEntry): NewEvent {
  if (entry.type === 'event') return writeEvent(entry.event);
  const { type, ...body } = entry;
  return { kind: KINDS[type], body };
}

/** An event as the store takes it. */
export function writeEvent(event: SessionEvent): NewEvent {
  return { kind: event.type, body: event };
}

/** Reads what a store has; undefined for an entry that this version of Parley does not know. */
export function readEntry({ kind, body }: Pick<LoggedEvent, 'kind' | 'body'>): LogEntry | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const type = TYPES.get(kind);
  if (type) return { ...body, type } as LogEntry;
  return (body as { readonly type?: unknown }).type === kind
    ? { type: 'event', event: body as SessionEvent }
    : undefined;
}

/** The event in an entry, if it is one. */
export function readEvent(logged: Pick<LoggedEvent, 'kind' | 'body'>): SessionEvent | undefined {
  const { kind, body } = logged;
  if (TYPES.has(kind)) return undefined;
  return (body as { readonly type?: unknown } | null)?.type === kind ? (body as SessionEvent) : undefined;
}

/** Whether an entry begins a turn; cheaper than reading it. */
export function isTurnStart({ kind }: Pick<LoggedEvent, 'kind'>): boolean {
  return kind === KINDS.turn_started;
}

/** Whether an entry can tell how the turn of a prompt ends; cheaper than reading it. */
export function mayTellEnd({ kind }: Pick<LoggedEvent, 'kind'>): boolean {
  return kind === KINDS.turn_ended || kind === KINDS.input_taken;
}

export function isInput(entry: LogEntry): entry is InputEntry {
  return INPUTS.has(entry.type);
}

/** What viewers see of an entry that is no event; undefined when there is nothing to see. */
export function stateOf(entry: LogEntry): StateEvent | undefined {
  if (entry.type === 'turn_started') return { type: 'state', state: 'running', turnId: entry.turnId };
  if (entry.type !== 'turn_ended' || entry.neverBegan) return undefined;
  const { turnId, stopReason, error, tokens, meta } = entry;
  return {
    type: 'state',
    state: 'idle',
    turnId,
    ...(stopReason && { stopReason }),
    ...(error && { error }),
    ...(tokens && { tokens }),
    ...(meta && { meta }),
  };
}

/** What a viewer is shown of an entry of the log, in its order; nothing for most that are no events. */
export function shownBy(entry: LogEntry): readonly SessionEvent[] {
  if (entry.type === 'event') return [entry.event];
  if (entry.type === 'turns_dropped') return [droppedNotice(entry), ...entry.state];
  const state = stateOf(entry);
  return state ? [state] : [];
}

function droppedNotice({ turns }: TurnsDropped): NoticeEvent {
  return {
    type: 'notice',
    severity: 'info',
    title: turns === 1 ? '1 earlier turn is no longer kept' : `${turns} earlier turns are no longer kept`,
    description: 'They were removed from the log of this session to save room. What follows is all that there is.',
    meta: { [META.droppedTurns]: turns },
  };
}

/** Events that describe a moment, not the conversation: they are shown and never logged. */
const PASSING: ReadonlySet<SessionEvent['type']> = new Set(['commands', 'notice', 'state']);

export function isPassing({ type }: SessionEvent): boolean {
  return PASSING.has(type);
}

/** Whether an event changes how the session is set up, and not what is said in it. */
export function isSetting({ type }: SessionEvent): boolean {
  return type === 'mode' || type === 'config';
}

/** The id of the message that a prompt is logged as. */
export function promptMessageId(promptId: string): string {
  return `prompt-${promptId}`;
}

/** A prompt as the conversation has it: one message of the person, block by block as it was sent. */
export function promptEvents(promptId: string, content: readonly ContentBlock[]): SessionEvent[] {
  return content.map((block) => ({
    type: 'message_chunk',
    speaker: 'user',
    messageId: promptMessageId(promptId),
    content: block,
  }));
}

/** As `promptEvents`, of a prompt that became part of a turn which ran. */
export function steeredEvents(promptId: string, content: readonly ContentBlock[]): SessionEvent[] {
  return promptEvents(promptId, content).map((event) => ({ ...event, meta: { [META.steer]: true } }));
}
