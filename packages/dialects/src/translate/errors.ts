import { type ErrorKind, isErrorKind } from '@parley/protocol';
import { ERROR_CODES, ERROR_MEANINGS } from '../error-codes.ts';
import { type Fields, isRecord, without } from '../fields.ts';
import type { DialectName } from '../names.ts';

/** Where an error was translated from: enough to give the number back on the way home. */
interface Mark {
  readonly from: string;
  readonly code: number;
  /** The original `data`, where it had no room for the mark. */
  readonly data?: unknown;
}

/** A foreign error in canonical words. `method` is the request it answers, where that is known. */
export function readError(error: Fields, dialect: DialectName, method: string | undefined): Fields {
  const { code, data } = error;
  if (typeof code !== 'number') return error;
  const mark = markOf(data);
  if (mark?.from === 'canonical') return replace(error, mark.code, unmark(data, mark, ['dialect']));
  const meaning = ERROR_MEANINGS[dialect]?.get(code);
  if (meaning === undefined) return error;
  const kind = meaning === 'auth_failed' && method !== 'authenticate' ? 'auth_required' : meaning;
  const from = { from: dialect, code };
  if (data === undefined) return replace(error, ERROR_CODES.canonical[kind], { kind, dialect: from });
  const hasRoom = isRecord(data) && data.kind === undefined && data.dialect === undefined;
  const marked = hasRoom ? { ...data, kind, dialect: from } : { kind, dialect: { ...from, data } };
  return replace(error, ERROR_CODES.canonical[kind], marked);
}

/** A canonical error as the dialect tells it. */
export function writeError(error: Fields, dialect: DialectName, method: string | undefined): Fields {
  const { code, data } = error;
  if (typeof code !== 'number') return error;
  const mark = markOf(data);
  if (mark?.from === dialect) return replace(error, mark.code, unmark(data, mark, ['kind', 'dialect']));
  const kind = kindOf(code, data, method);
  const written = kind === undefined ? code : ERROR_CODES[dialect][kind];
  if (written === code) return error;
  const from = { from: 'canonical', code };
  if (data === undefined) return replace(error, written, { dialect: from });
  const hasRoom = isRecord(data) && data.dialect === undefined;
  return replace(error, written, hasRoom ? { ...data, dialect: from } : { dialect: { ...from, data } });
}

/** What a canonical error means: as it says itself, else as far as its number and its request tell. */
function kindOf(code: number, data: unknown, method: string | undefined): ErrorKind | undefined {
  const told = isRecord(data) ? data.kind : undefined;
  if (isErrorKind(told) && ERROR_CODES.canonical[told] === code) return told;
  if (code === -32000) return 'auth_required';
  if (code === -32800) return 'request_cancelled';
  if (code === -32602 && method === 'authenticate') return 'invalid_auth_method';
  if (code !== -32002) return undefined;
  const isAboutSession = isRecord(data) ? data.sessionId !== undefined : method?.startsWith('session/') === true;
  return isAboutSession ? 'session_not_found' : 'resource_not_found';
}

function markOf(data: unknown): Mark | undefined {
  if (!isRecord(data) || !isRecord(data.dialect)) return undefined;
  const { from, code } = data.dialect;
  return typeof from === 'string' && Number.isInteger(code) ? (data.dialect as unknown as Mark) : undefined;
}

function unmark(data: unknown, mark: Mark, names: readonly string[]): unknown {
  if (Object.hasOwn(mark, 'data')) return mark.data;
  const rest = without(data as Fields, ...names);
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function replace(error: Fields, code: number, data: unknown): Fields {
  return data === undefined ? { ...without(error, 'data'), code } : { ...error, code, data };
}
