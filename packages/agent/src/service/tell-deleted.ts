import type { SessionRecord } from '@parley/store';
import type { AgentDefinition } from '../contract/definition.ts';

/** The session is gone, whatever its author's handler makes of it. */
export async function tellDeleted({ onDelete, report }: AgentDefinition, record: SessionRecord): Promise<void> {
  const { id: sessionId, principal, metadata } = record;
  const state = (metadata.state ?? {}) as Readonly<Record<string, unknown>>;
  try {
    await onDelete?.({ sessionId, principal, state });
  } catch (error) {
    report({ kind: 'handler_failed', message: 'The handler of deleted sessions failed.', error, sessionId });
  }
}
