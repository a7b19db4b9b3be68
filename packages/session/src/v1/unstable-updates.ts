import { isRecord } from '@parley/jsonrpc/internal';
import { type ContentBlock, INVALID, type SessionUpdate, validators } from '@parley/protocol';
import type { PlanEvent, SessionEvent, SessionMessageEvent, SubagentEvent } from '../event.ts';
import { extraOf } from '../extra.ts';
import { V1_FIELDS } from './known-fields.ts';

// The updates that only the unstable schema of version 1 has. They are few and small, so they are read and written by hand:
// its validators are as large as those of the stable schema, and most connections never meet one of these.

type Fields = Readonly<Record<string, unknown>>;

/** Reads an update that the stable schema does not know; undefined when it is none of these, or malformed. */
export function unstableEventFromV1(update: Fields): SessionEvent | undefined {
  const event = readUnstable(update);
  if (!event) return undefined;
  const extra = extraOf(update, V1_FIELDS);
  const meta = update._meta as SessionEvent['meta'];
  return { ...event, ...(meta !== undefined && { meta }), ...(extra && { extra }) };
}

function readUnstable(update: Fields): SessionEvent | undefined {
  switch (update.sessionUpdate) {
    case 'plan_update':
      return readPlan(update.plan);
    case 'plan_removed':
      return typeof update.planId === 'string'
        ? { type: 'plan', planId: update.planId, entries: [], isRemoved: true }
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

function readPlan(value: unknown): PlanEvent | undefined {
  const { type, planId, entries, uri, content } = (value ?? {}) as Fields;
  if (typeof planId !== 'string') return undefined;
  if (type === 'file' && typeof uri === 'string') return { type: 'plan', planId, entries: [], document: { uri } };
  if (type === 'markdown' && typeof content === 'string')
    return { type: 'plan', planId, entries: [], document: { markdown: content } };
  const plan = validators.Plan({ entries });
  return type === 'items' && plan !== INVALID ? { type: 'plan', planId, entries: plan.entries } : undefined;
}

const PATCHES = ['title', 'description', 'cwd'] as const;

export function readSubagent(update: Fields): SubagentEvent | undefined {
  const { sessionId, state, capabilities } = update;
  if (typeof sessionId !== 'string') return undefined;
  const patch = PATCHES.filter((name) => typeof update[name] === 'string' || update[name] === null);
  return {
    type: 'subagent',
    sessionId,
    ...Object.fromEntries(patch.map((name) => [name, update[name]])),
    ...((state === null || isState(state)) && { state }),
    ...((capabilities === null || isRecord(capabilities)) && { capabilities }),
  };
}

function readMessage(update: Fields): SessionMessageEvent | undefined {
  const { sessionUpdate, messageId, senderSessionId, recipientSessionId, content } = update;
  const isChunk = sessionUpdate === 'session_message_chunk';
  const blocks = readBlocks(isChunk ? [content] : (content ?? []));
  if (typeof messageId !== 'string' || !blocks) return undefined;
  return {
    type: 'session_message',
    messageId,
    ...(typeof senderSessionId === 'string' && { senderSessionId }),
    ...(typeof recipientSessionId === 'string' && { recipientSessionId }),
    content: blocks,
    ...(isChunk && { isChunk }),
  };
}

function readBlocks(value: unknown): ContentBlock[] | undefined {
  const blocks = Array.isArray(value) ? value.map(validators.ContentBlock) : [INVALID];
  return blocks.some((block) => block === INVALID) ? undefined : (blocks as ContentBlock[]);
}

/** Writes a plan for a client that knows plans by their ids; for others `eventToV1` writes what they know of it. */
export function planToUnstableV1({ planId, entries, document, isRemoved }: PlanEvent): SessionUpdate | undefined {
  if (planId === undefined) return undefined;
  if (isRemoved) return unstable({ sessionUpdate: 'plan_removed', planId });
  const plan = !document
    ? { type: 'items', planId, entries: [...entries] }
    : 'uri' in document
      ? { type: 'file', planId, uri: document.uri }
      : { type: 'markdown', planId, content: document.markdown };
  return unstable({ sessionUpdate: 'plan_update', plan });
}

export function subagentToV1({ type: _, meta: _meta, extra: _extra, ...fields }: SubagentEvent): SessionUpdate {
  return unstable({ sessionUpdate: 'subagent_update', ...fields });
}

export function messageToV1(event: SessionMessageEvent): SessionUpdate {
  const { messageId, senderSessionId, recipientSessionId, content, isChunk } = event;
  if (isChunk) return unstable({ sessionUpdate: 'session_message_chunk', messageId, content: content[0] });
  return unstable({
    sessionUpdate: 'session_message',
    messageId,
    ...(senderSessionId !== undefined && { senderSessionId }),
    ...(recipientSessionId !== undefined && { recipientSessionId }),
    content: [...content],
  });
}

function unstable(update: Fields): SessionUpdate {
  return update as unknown as SessionUpdate;
}

function isState(value: unknown): value is { readonly state: string } {
  return isRecord(value) && typeof value.state === 'string';
}
