import {
  type ContentPart,
  type History,
  type HistoryMessage,
  headOf,
  isSituation,
  repairHistory,
  toolCallsOf,
  type UserMessage,
  withNote,
} from '@parley/models/model';
import { abridgeStep } from './abridge.ts';
import { REPEATED } from './repeated-calls.ts';
import { GO_ON } from './unfinished-answer.ts';

// What takes the place of a conversation that was shortened follows from the conversation and its summary alone, so that a session
// that is opened again goes on from the same. The shares keep it small also where the window is.

const LEAD = 'The conversation so far was shortened. This is a summary of it:\n\n';
const WORDS_LEAD = 'The person wrote: ';
const PLAN_LEAD = 'The plan as it stands:\n';
const CONTINUE = 'The conversation was shortened while you worked. Go on with the task from here.';

/** Characters of the person's own words that stay, and of each time they wrote; the newest come first. */
const MAX_WORDS = 20_000;
const MAX_WORDS_AT_ONCE = 8000;
const MIN_WORDS = 200;
const WORDS_SHARE = 1 / 8;
/** Characters of the last steps that stay as they are, and of each text in them. */
const MAX_TAIL = 24_000;
const TAIL_SHARE = 1 / 4;
const MAX_TAIL_TEXT = 4000;
const MIN_TAIL_TEXT = 200;
const TAIL_TEXT_SHARE = 1 / 64;

/** What we have told the model in the person's place. */
const OUR_NOTES: ReadonlySet<string> = new Set([...Object.values(GO_ON), REPEATED, CONTINUE]);

export interface ShortenOptions {
  /** The last message is what the model has to answer next: it stays as it is. */
  readonly isRunning: boolean;
}

/** A summary, the person's own words, the plan, the last steps, and, in the middle of a task, that it goes on. */
export function shortenHistory(history: History, summary: string, { isRunning }: ShortenOptions): History {
  const whole = repairHistory(history);
  const total = whole.reduce((sum, message) => sum + sizeOf(message), 0);
  const limit = Math.max(MIN_TAIL_TEXT, Math.min(MAX_TAIL_TEXT, Math.floor(total * TAIL_TEXT_SHARE)));
  const steps = whole.map((message, index) => {
    const isAsked = isRunning && index === whole.length - 1 && message.role === 'user';
    return isAsked ? message : abridgeStep(message, { limit, promptLimit: MAX_WORDS_AT_ONCE });
  });
  const start = tailStart(steps, Math.min(MAX_TAIL, total * TAIL_SHARE));
  const before = whole.slice(0, start);
  const opening: UserMessage = {
    role: 'user',
    content: [
      textPart(`${LEAD}${summary}`),
      ...newest(before.flatMap(wordsIn), Math.min(MAX_WORDS, total * WORDS_SHARE)).map((words) =>
        textPart(`${WORDS_LEAD}${words}`),
      ),
      ...before
        .flatMap(planIn)
        .slice(-1)
        .map((plan) => textPart(`${PLAN_LEAD}${plan}`)),
    ],
  };
  const shortened = [opening, ...steps.slice(start)];
  return isRunning && shortened.at(-1)?.role === 'tool' ? withNote(shortened, CONTINUE) : shortened;
}

/** Where the last steps begin: at least with the last one, and never with results without their calls. */
function tailStart(steps: History, maxCharacters: number): number {
  let start = steps.length;
  let size = 0;
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at];
    if (!step || isOpening(step)) break;
    size += sizeOf(step);
    if (size > maxCharacters && start < steps.length) break;
    if (step.role !== 'tool') start = at;
  }
  return start;
}

/** What the person wrote, earlier openings included. */
function wordsIn(message: HistoryMessage): readonly string[] {
  if (message.role !== 'user') return [];
  if (isOpening(message)) return partsAfter(message.content, WORDS_LEAD);
  const own = message.content.filter((part) => part.type === 'text' && !isSituation(part) && !OUR_NOTES.has(part.text));
  const text = own.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return text.trim() === '' ? [] : [text];
}

/** The plan as it was after a message, if it was told there. */
function planIn(message: HistoryMessage): readonly string[] {
  if (message.role === 'user') return isOpening(message) ? partsAfter(message.content, PLAN_LEAD) : [];
  if (message.role === 'tool') return [];
  return toolCallsOf(message).flatMap(({ name, input }) => (name === 'update_plan' ? wordPlan(input.entries) : []));
}

function wordPlan(entries: unknown): readonly string[] {
  if (!Array.isArray(entries)) return [];
  const lines = entries.map((entry: { readonly content?: unknown; readonly status?: unknown } | null) => {
    const { content = '', status = 'pending' } = entry ?? {};
    return `- ${String(content)} (${String(status)})`;
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function isOpening(message: HistoryMessage): boolean {
  const [first] = message.role === 'user' ? message.content : [];
  return first?.type === 'text' && first.text.startsWith(LEAD);
}

function partsAfter(parts: readonly ContentPart[], lead: string): readonly string[] {
  return parts.flatMap((part) =>
    part.type === 'text' && part.text.startsWith(lead) ? [part.text.slice(lead.length)] : [],
  );
}

/** The last texts that fit, in their order. */
function newest(texts: readonly string[], maxCharacters: number): readonly string[] {
  const kept: string[] = [];
  let left = maxCharacters;
  for (const text of texts.toReversed()) {
    const most = Math.min(MAX_WORDS_AT_ONCE, Math.max(left, 0));
    if (text.length > most && most < MIN_WORDS) break;
    const short = text.length > most ? `${headOf(text, most)} [...]` : text;
    left -= short.length;
    kept.unshift(short);
  }
  return kept;
}

function sizeOf(message: HistoryMessage): number {
  const parts = message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content;
  return parts.reduce((sum, part) => {
    if (part.type === 'image' || part.type === 'audio' || part.type === 'document') return sum;
    return sum + (part.type === 'tool_call' ? JSON.stringify(part.input).length : part.text.length);
  }, 0);
}

function textPart(text: string): ContentPart {
  return { type: 'text', text };
}
