import { type Connection, RpcError } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import type { ClientDuties } from '../peer/client-duties.ts';

/** Answers methods that are not part of the protocol, in every version, from the first message on. */
export function serveExtensions(
  connection: Connection,
  duties: Pick<ClientDuties, 'onExtensionRequest' | 'onAnyNotification' | 'extensionListeners'>,
): void {
  const { onExtensionRequest, onAnyNotification, extensionListeners } = duties;
  connection.onAnyRequest(async ({ method, params, signal }) => {
    const result = await onExtensionRequest?.(method, params, signal);
    if (result === undefined) throw RpcError.methodNotFound(method);
    return result;
  });
  for (const { method, listener } of extensionListeners) {
    if (!v1.notificationSpec(method)) connection.onNotification(method, listener);
  }
  // The specification has clients ignore notifications that they do not know.
  connection.onAnyNotification((params, method) => onAnyNotification?.(method, params));
}
