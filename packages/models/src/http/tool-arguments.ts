import type { ModelEvent } from '../model/model.ts';
import { headOf } from '../text.ts';
import { asObject, tryParseJson } from './json.ts';

/** A tool call while its arguments arrive. */
export interface OpenToolCall {
  readonly id: string;
  name: string;
  argumentText: string;
}

/** The end of a tool call: its arguments parsed, or the reason why they could not be. No arguments mean an empty object. */
export function endToolCall({ id, name, argumentText }: OpenToolCall): Extract<ModelEvent, { type: 'tool_call_end' }> {
  if (argumentText.trim() === '') return { type: 'tool_call_end', id, name, input: {} };
  const input = asObject(tryParseJson(argumentText));
  if (input !== undefined) return { type: 'tool_call_end', id, name, input };
  const excerpt = argumentText.length > 200 ? `${headOf(argumentText, 200)}…` : argumentText;
  return {
    type: 'tool_call_end',
    id,
    name,
    input: {},
    inputError: `The arguments of ${name} are not a JSON object: ${excerpt}`,
  };
}

/** Gives each call of one answer an id of its own: what the server said, or a new one where that is missing or taken. */
export function createCallIds(): (wireId: string | undefined) => string {
  const taken = new Set<string>();
  return (wireId) => {
    const id = wireId === undefined || wireId === '' || taken.has(wireId) ? generateCallId() : wireId;
    taken.add(id);
    return id;
  };
}

const GENERATED_PREFIX = 'parley-';

/** An id for a call whose server gave none; unique in the session, and within the 40 characters that OpenAI allows. */
export function generateCallId(): string {
  return GENERATED_PREFIX + crypto.randomUUID().replaceAll('-', '').slice(0, 20);
}

export function isGeneratedCallId(id: string): boolean {
  return id.startsWith(GENERATED_PREFIX);
}
