import { type Fields, isRecord, mapField, pick, rename, without } from '../../fields.ts';
import type { MapUpdate, TranslationContext } from '../context.ts';
import { keepFacts, restore } from '../kept-facts.ts';
import { readModeId } from '../modes.ts';
import { readContentBlock } from './content.ts';
import { deriveKind, readToolCall } from './tool-call.ts';

/** One update of any dialect as canonical ones. */
export const readUpdate: MapUpdate = (update, context) => {
  const tag = tagOf(update);
  if (tag === undefined) return [update];
  if (tag === 'message') return readMessage(update);
  if (update.sessionUpdate === tag) return [readTagged(tag, update, context)];
  const tagged = pick(update, (name) => name !== 'type');
  tagged.sessionUpdate = tag;
  return [readTagged(tag, tagged, context)];
};

/** S4:351 tags with `type`, S2:188 with `kind`, and S2:303 has only a key `plan`. */
function tagOf(update: Fields): string | undefined {
  if (typeof update.sessionUpdate === 'string') return update.sessionUpdate;
  if (update.kind === 'tool_call' || update.kind === 'tool_call_update') return update.kind;
  if (typeof update.type === 'string') return update.type;
  return isRecord(update.plan) && update.plan.type === undefined ? 'plan' : undefined;
}

function readTagged(tag: string, update: Fields, context: TranslationContext): Fields {
  switch (tag) {
    case 'agent_message_chunk':
    case 'user_message_chunk':
    case 'agent_thought_chunk':
      return restore(mapField(update, 'content', (block) => readContentBlock(block)));
    case 'tool_call':
      return readToolCallUpdate(update, context);
    case 'tool_call_update':
      return readToolCall(update, context);
    case 'plan':
      return restore(readPlan(update));
    case 'current_mode_update':
      return readMode(update, context);
    default:
      return update;
  }
}

/** S0:244 tells progress by repeating the `tool_call`; canonically only the first one is. */
function readToolCallUpdate(update: Fields, context: TranslationContext): Fields {
  const call = readToolCall(update, context);
  if (call.sessionUpdate !== 'tool_call') return call;
  const { state, session } = context;
  const named = state.choice.dialect === 'harness' ? deriveKind(call) : call;
  const isKnown = typeof named.toolCallId === 'string' && session.toolCalls.has(named.toolCallId);
  return isKnown ? { ...named, sessionUpdate: 'tool_call_update' } : named;
}

/** S2:303 has a description and steps in place of entries. */
function readPlan(update: Fields): Fields {
  const { plan } = update;
  if (!isRecord(plan) || update.entries !== undefined) return update;
  const steps = Array.isArray(plan.steps) ? plan.steps : [];
  const entries = steps.map((content) => ({ content, priority: 'medium', status: 'pending' }));
  return keepFacts({ ...without(update, 'plan'), entries }, { description: plan.description || undefined });
}

function readMode(update: Fields, { state }: TranslationContext): Fields {
  const read = rename(update, 'modeId', 'currentModeId');
  const currentModeId = readModeId(read.currentModeId, state.options);
  return currentModeId === read.currentModeId ? read : { ...read, currentModeId };
}

const ROLES: Readonly<Record<string, string>> = {
  agent: 'agent_message_chunk',
  assistant: 'agent_message_chunk',
  user: 'user_message_chunk',
  thought: 'agent_thought_chunk',
};

/** S4:351 sends a message with a role and a list of blocks; canonically each block is a chunk. */
function readMessage(update: Fields): readonly Fields[] {
  const { role, content } = update;
  const sessionUpdate = ROLES[typeof role === 'string' && Object.hasOwn(ROLES, role) ? role : 'agent'];
  const blocks = listOf(content);
  if (blocks.length === 1 && Object.keys(update).length === 3) {
    return [{ sessionUpdate, content: readContentBlock(blocks[0]) }];
  }
  const rest = pick(update, (name) => name !== 'type' && name !== 'role' && name !== 'content');
  // The document does not say whether a message is whole or a piece, so a message of one block continues the last one.
  if (blocks.length === 1) return [restore({ sessionUpdate, content: readContentBlock(blocks[0]), ...rest })];
  const messageId = update.messageId ?? crypto.randomUUID();
  return blocks.map((block) => {
    const chunk = { sessionUpdate, content: readContentBlock(block), ...rest, messageId };
    return restore(update.messageId === undefined ? keepFacts(chunk, { derived: ['messageId'] }) : chunk);
  });
}

function listOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return isRecord(content) ? [content] : [];
}
