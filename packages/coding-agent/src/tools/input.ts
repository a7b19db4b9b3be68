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

/** Models call things by other names; they see it at once when it is said. */
function tellSent(input: Input, name: string): string {
  const sent = Object.keys(input).slice(0, 10);
  if (name in input || sent.length === 0) return '';
  return ` You sent: ${sent.map((each) => `"${each}"`).join(', ')}.`;
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

/** A whole number; models like to send it as text, which is accepted. */
export function optionalInteger(input: Input, name: string, { min, max }: NumberRange): number | undefined {
  const value = input[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw new ToolInputError(`"${name}" must be a whole number from ${min} to ${max}.`);
}

/** JSON Schema of an object with these properties. */
export function objectSchema(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): Readonly<Record<string, unknown>> {
  return { type: 'object', properties, required, additionalProperties: false };
}
