import type { PlanUpdateContent, SessionUpdate } from '@parley/protocol/v2';
import type { PlanEvent, SessionEvent, SessionMessageEvent, SubagentEvent } from '../event.ts';
import type { Content } from '../parts.ts';
import { readSubagent } from '../v1/unstable-updates.ts';
import { blockToV2 } from './content.ts';

// Plans, and the updates that only the unstable schema of version 2 has. To a peer without it those are variants that it does not
// know, and passes over.

type Fields = Readonly<Record<string, unknown>>;

/** The plan of an agent that has only one. */
const ONLY_PLAN = 'default';

export function planToV2({ planId = ONLY_PLAN, entries, document, isRemoved }: PlanEvent): SessionUpdate {
  if (isRemoved) return unstable({ sessionUpdate: 'plan_removed', planId });
  if (!document) return { sessionUpdate: 'plan_update', plan: { type: 'items', planId, entries: [...entries] } };
  const plan =
    'uri' in document
      ? { type: 'file', planId, uri: document.uri }
      : { type: 'markdown', planId, content: document.markdown };
  return unstable({ sessionUpdate: 'plan_update', plan });
}

/** Undefined for a kind of plan that nobody here knows. */
export function planFromV2(plan: PlanUpdateContent): PlanEvent | undefined {
  const { type, planId: id, entries, uri, content } = plan as typeof plan & Fields;
  const planId = typeof id === 'string' && id !== ONLY_PLAN ? { planId: id } : {};
  if (type === 'items') return { type: 'plan', ...planId, entries: entries as PlanEvent['entries'] };
  if (type === 'file' && typeof uri === 'string') return { type: 'plan', ...planId, entries: [], document: { uri } };
  if (type === 'markdown' && typeof content === 'string')
    return { type: 'plan', ...planId, entries: [], document: { markdown: content } };
  return undefined;
}

/** Reads an update that the stable schema does not know; undefined when it is none of these, or malformed. */
export function unstableEventFromV2(update: Fields): SessionEvent | undefined {
  switch (update.sessionUpdate) {
    case 'plan_removed':
      return typeof update.planId === 'string'
        ? { type: 'plan', ...(update.planId !== ONLY_PLAN && { planId: update.planId }), entries: [], isRemoved: true }
        : undefined;
    case 'subagent_update':
      return readSubagent(update);
    case 'session_message':
    case 'session_message_chunk':
      return readMessage(update);
    default:
      return undefined;
  }
}

function readMessage({
  sessionUpdate,
  messageId,
  senderSessionId,
  recipientSessionId,
  content,
}: Fields): SessionMessageEvent | undefined {
  const isChunk = sessionUpdate === 'session_message_chunk';
  const blocks = isChunk ? [content] : (content ?? []);
  if (typeof messageId !== 'string' || !Array.isArray(blocks) || !blocks.every(isBlock)) return undefined;
  return {
    type: 'session_message',
    messageId,
    ...(typeof senderSessionId === 'string' && { senderSessionId }),
    ...(typeof recipientSessionId === 'string' && { recipientSessionId }),
    content: blocks,
    ...(isChunk && { isChunk }),
  };
}

/** A block of whatever type: version 2 keeps those that it does not know. */
function isBlock(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function subagentToV2({ type: _, meta: _meta, extra: _extra, ...fields }: SubagentEvent): SessionUpdate {
  return unstable({ sessionUpdate: 'subagent_update', ...fields });
}

export function messageToV2(event: SessionMessageEvent): SessionUpdate {
  const { messageId, senderSessionId, recipientSessionId, content, isChunk } = event;
  if (isChunk)
    return unstable({ sessionUpdate: 'session_message_chunk', messageId, content: content.map(blockToV2)[0] });
  return unstable({
    sessionUpdate: 'session_message',
    messageId,
    ...(senderSessionId !== undefined && { senderSessionId }),
    ...(recipientSessionId !== undefined && { recipientSessionId }),
    content: content.map(blockToV2),
  });
}

function unstable(update: Fields): SessionUpdate {
  return update as unknown as SessionUpdate;
}
