import { DamagedError } from './sqlite-fault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text as it must be selected: over text that is not UTF-8 the driver would end the whole process. */
export function asBytes(expression: string): string {
  return `CAST(${expression} AS BLOB)`;
}

/** The text that was selected as bytes. Only damage makes it anything but UTF-8. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Uint8Array)) throw new DamagedError('a text is missing');
  try {
    return decoder.decode(value);
  } catch {
    throw new DamagedError('a text is not UTF-8');
  }
}

export function readTextOrNull(value: unknown): string | null {
  return value === null ? null : readText(value);
}

export function readNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new DamagedError('a number is missing');
}

/** What was put together as JSON in the database. */
export function readJson(value: unknown): unknown {
  try {
    return JSON.parse(readText(value));
  } catch (error) {
    throw error instanceof DamagedError ? error : new DamagedError('what should be JSON is not');
  }
}
