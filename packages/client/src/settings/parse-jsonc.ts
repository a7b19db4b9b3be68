import { UsageError } from '../errors.ts';

/** Reads JSON as editors write it: with comments and trailing commas. `name` is the file, for the error. */
export function parseJsonc(text: string, name: string): unknown {
  try {
    return JSON.parse(withoutComments(text.replace(/^\ufeff/, '')));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('invalid_settings', `${name} is not valid JSON: ${why}`, { cause });
  }
}

/** Strings are matched first, so that what looks like a comment inside one stays. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

function withoutComments(text: string): string {
  return text.replace(TOKENS, (token) => (token.startsWith('"') ? token : ''));
}
