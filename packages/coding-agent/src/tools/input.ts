import { ParleyError } from '@parley/jsonrpc';

/** The model's arguments do not fit the tool. The text is for the model, so it says what to send instead. */
export class ToolInputError extends ParleyError {
  override readonly name = 'ToolInputError';

  constructor(message: string) {
    super('tool_input', message);
  }
}

export type Input = Readonly<Record<string, unknown>>;

export function requireText(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ToolInputError(`"${name}" is required and must be a non-empty string.${tellSent(input, name)}`);
}

/** Like `requireText`, but the empty string is a value too. */
export function requireString(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === 'string') return value;
  throw new ToolInputError(`"${name}" is required and must be a string.${tellSent(input, name)}`);
}

/** Models call things by other names, or send another kind of value; they see it at once when it is said. */
function tellSent(input: Input, name: string): string {
  const value = input[name];
  if (value !== undefined) return value === '' ? '' : ` You sent ${wordKind(value)}.`;
  const sent = Object.keys(input).slice(0, 10);
  return sent.length === 0 ? '' : ` You sent: ${sent.map((each) => `"${each}"`).join(', ')}.`;
}

function wordKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object; write it as text' : `a ${typeof value}`;
}

export function optionalText(input: Input, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new ToolInputError(`"${name}" must be a string.`);
}

export function optionalBoolean(input: Input, name: string): boolean {
  const value = input[name];
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new ToolInputError(`"${name}" must be true or false.`);
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** A list; models like to send it as text, or its only item. */
export function optionalList(input: Input, name: string): readonly unknown[] | undefined {
  const value = input[name];
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (Array.isArray(list)) return list;
  if (typeof list === 'object' && list !== null) return [list];
  throw new ToolInputError(`"${name}" must be a list.${tellSent(input, name)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A whole number; models like to send it as text, which is accepted, and what is too large means as much as there is. */
export function optionalInteger(input: Input, name: string, { min, max }: NumberRange): number | undefined {
  const value = input[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min) return Math.min(number, max);
  // Who counts from 0 means the first.
  if (number === 0 && min === 1) return 1;
  throw new ToolInputError(`"${name}" must be a whole number from ${min} to ${max}.`);
}

/** JSON Schema of an object with these properties. */
export function objectSchema(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): Readonly<Record<string, unknown>> {
  return { type: 'object', properties, required, additionalProperties: false };
}
