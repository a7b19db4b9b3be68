import { fileURLToPath } from 'node:url';
import { type ContentPart, type History, type ToolResult, textOf, toolCallsOf } from '../model/history.ts';
import { type Action, isAction } from './intent.ts';
import { type ParsedPrompt, parsePrompt } from './parse-prompt.ts';

/** What the offline model can know: it has no memory of its own, everything is read from the history each time. */
export interface TurnState {
  readonly prompt: ParsedPrompt;
  readonly actions: readonly Action[];
  /** Results of the actions that have run, by their place in `actions`. */
  readonly results: ReadonlyMap<number, ToolResult>;
  /** Whether this turn has called the model's other tools, and what came of it. */
  readonly marks: ReadonlyMap<CallMark, ToolResult | undefined>;
  /** Images and the like, which rules cannot look at. */
  readonly attachments: readonly string[];
}

/** Calls that belong to no action: the plan, the plan with everything done, and the question whether to leave plan mode. */
export type CallMark = 'plan' | 'plandone' | 'exit';

/** The end of a call's id says which action or mark it belongs to. */
const ID_SUFFIX = /-(?:s(\d+)|(plan|plandone|exit))$/;

export function callSuffix(target: number | CallMark): string {
  return typeof target === 'number' ? `-s${target}` : `-${target}`;
}

/** Reads the last prompt and what has been done about it. */
export function readTurn(history: History): TurnState {
  const start = history.findLastIndex(({ role }) => role === 'user');
  const earlier = history.slice(0, Math.max(0, start));
  const message = history[start];
  const content = message?.role === 'user' ? message.content : [];
  const { said, attached } = readSaid(content);
  const prompt = followPlan(parsePrompt(said, { lastPath: attached ?? lastPathIn(earlier) }), earlier);
  return {
    prompt,
    actions: prompt.steps.filter(isAction),
    ...readCalls(history.slice(start + 1)),
    attachments: content
      .filter(({ type }) => type === 'image' || type === 'audio' || type === 'document')
      .map(({ type }) => type),
  };
}

/** What the person wrote themselves, without the names and notes of attachments; and the first file that is attached. */
function readSaid(content: readonly ContentPart[]): { readonly said: string; readonly attached: string | undefined } {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const notes = texts.length > 1 && texts.at(-1)?.startsWith('Attachments:\n') ? (texts.at(-1) ?? '') : '';
  const said = texts.filter((text) => text !== notes && !/^\[[^\]\n]+\]$/.test(text)).join('\n');
  const embedded = content.flatMap((part) => (part.type === 'resource' ? [pathOf(part.uri)] : []));
  return { said, attached: /^\[[^\]\n]+\]: the file (\S+?),?(?: |$)/m.exec(notes)?.[1] ?? embedded[0] };
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

function readCalls(history: History): Pick<TurnState, 'results' | 'marks'> {
  const answers = new Map(
    history.flatMap((message) =>
      message.role === 'tool' ? message.results.map((result) => [result.toolCallId, result] as const) : [],
    ),
  );
  const results = new Map<number, ToolResult>();
  const marks = new Map<CallMark, ToolResult | undefined>();
  for (const message of history) {
    if (message.role !== 'assistant') continue;
    for (const { id } of toolCallsOf(message)) {
      const [, step, mark] = ID_SUFFIX.exec(id) ?? [];
      const answer = answers.get(id);
      if (mark !== undefined) marks.set(mark as CallMark, answer);
      else if (step !== undefined && answer !== undefined) results.set(Number(step), answer);
    }
  }
  return { results, marks };
}

/** "Do it" on its own means the plan of the prompt before. */
function followPlan(prompt: ParsedPrompt, earlier: History): ParsedPrompt {
  if (prompt.steps.length !== 1 || prompt.steps[0]?.kind !== 'go') return prompt;
  const before = earlier.findLast(({ role }) => role === 'user');
  const planned = before?.role === 'user' ? parsePrompt(textOf(before.content)) : undefined;
  return planned?.isPlan ? { ...planned, isToBeDone: true } : prompt;
}

/** The file that a tool last had to do with. */
function lastPathIn(history: History): string | undefined {
  for (const message of history.toReversed()) {
    if (message.role !== 'assistant') continue;
    for (const { input } of toolCallsOf(message).toReversed()) {
      const path = input.path ?? input.to;
      if (typeof path === 'string') return path;
    }
  }
  return undefined;
}
