import type { AssistantMessage, AssistantPart } from './history.ts';
import { type ModelEvent, type ModelStopReason, type Usage, ZERO_USAGE } from './model.ts';

/** The fold of a model's events: what goes into the history, what it cost and why it ended. */
export interface Answer {
  readonly content: readonly AssistantPart[];
  readonly usage: Usage;
  /** Undefined until the model stopped by itself. */
  readonly stopReason: ModelStopReason | undefined;
}

export const EMPTY_ANSWER: Answer = { content: [], usage: ZERO_USAGE, stopReason: undefined };

/** Adds one event to an answer. Only complete tool calls become content, so an interrupted answer stays usable. */
export function applyModelEvent(answer: Answer, event: ModelEvent): Answer {
  switch (event.type) {
    case 'text':
    case 'thought':
      return { ...answer, content: appendDelta(answer.content, event) };
    case 'tool_call_end': {
      const { type: _, ...call } = event;
      return { ...answer, content: [...answer.content, { type: 'tool_call', ...call }] };
    }
    case 'usage':
      return { ...answer, usage: event.usage };
    case 'stop':
      return { ...answer, stopReason: event.reason };
    case 'retry':
      return EMPTY_ANSWER;
    case 'tool_call_start':
    case 'tool_call_delta':
    case 'source':
    case 'remark':
      return answer;
  }
}

/** The answer as a message of the history. */
export function messageOf(answer: Answer): AssistantMessage {
  return { role: 'assistant', content: answer.content };
}

/** Runs a stream to its end and returns the whole answer. */
export async function collectAnswer(events: AsyncIterable<ModelEvent>): Promise<Answer> {
  let answer = EMPTY_ANSWER;
  for await (const event of events) answer = applyModelEvent(answer, event);
  return answer;
}

function appendDelta(
  content: readonly AssistantPart[],
  delta: Extract<ModelEvent, { type: 'text' | 'thought' }>,
): readonly AssistantPart[] {
  const last = content.at(-1);
  const signed = delta.signature === undefined ? {} : { signature: delta.signature };
  if (last?.type === delta.type && last.signature === undefined) {
    return [...content.slice(0, -1), { ...last, text: last.text + delta.text, ...signed }];
  }
  return [...content, { type: delta.type, text: delta.text, ...signed }];
}
