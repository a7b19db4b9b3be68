import { DamagedError } from './sqlite-fault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A column of text as it must be selected: over text that is not UTF-8 the driver would end the whole process. */
export function asBytes(column: string): string {
  return `CAST(${column} AS BLOB)`;
}

/** The text of such a column. Only damage makes it anything but UTF-8. */
export function readText(value: unknown): string {
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
