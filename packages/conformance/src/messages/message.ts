import type { ErrorObject, RequestId } from '@parley/jsonrpc';
import { isRecord } from '@parley/jsonrpc/internal';
import type { Frame } from './trace.ts';

/** The fields of a JSON object, each of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

export interface RequestFields {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

// These forgive more than the guards of `@parley/jsonrpc` do: a peer's faulty message must be seen for what it was meant
// to be before it can be judged.

export function asRequest({ value }: Frame): RequestFields | undefined {
  const { id, method, params } = fieldsOf(value);
  return typeof method === 'string' && isRecord(value) && 'id' in value
    ? { id: id as RequestId, method, params }
    : undefined;
}

export function asNotification({ value }: Frame): { readonly method: string; readonly params: unknown } | undefined {
  const { method, params } = fieldsOf(value);
  return typeof method === 'string' && isRecord(value) && !('id' in value) ? { method, params } : undefined;
}

export function isResponse({ value }: Frame): boolean {
  return isRecord(value) && !('method' in value) && ('result' in value || 'error' in value);
}

/** Tells `1` from `"1"`. */
export function keyOfId(id: unknown): string {
  return JSON.stringify(id) ?? 'none';
}

export function idOf(frame: Frame): unknown {
  return fieldsOf(frame.value).id;
}

export function errorOf(frame: Frame): ErrorObject | undefined {
  const { error } = fieldsOf(frame.value);
  return isRecord(error) ? (error as unknown as ErrorObject) : undefined;
}

/** The update in a `session/update`, with its session. */
export function asUpdate(
  frame: Frame,
): { readonly sessionId: unknown; readonly kind: string; readonly update: Fields } | undefined {
  const notification = asNotification(frame);
  if (notification?.method !== 'session/update') return undefined;
  const { sessionId, update } = fieldsOf(notification.params);
  const fields = fieldsOf(update);
  return { sessionId, kind: String(fields.sessionUpdate), update: fields };
}
