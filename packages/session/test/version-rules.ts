import { fileUri, isAbsolutePath } from '@parley/protocol';
import { gitPatch } from '../src/diff/index.ts';
import type { SessionEvent } from '../src/event.ts';
import { knownToolKind } from '../src/index.ts';
import type { Content, ToolCallContent } from '../src/parts.ts';
import { getToolCall } from '../src/transcript/apply-tool-call.ts';
import { getMessage } from '../src/transcript/apply-whole.ts';
import type { Transcript } from '../src/transcript/transcript.ts';

// What each version cannot say, one rule for each, by the names that docs/concepts/protocol-versions.md has. A rule turns what
// happened into what a peer of that version hears of it; `told` is all that this peer has heard before.

export type Rule = (event: SessionEvent, told: Transcript) => readonly SessionEvent[];

/** Takes the memory of what was told before, so the agent's peer of version 1 does it; the mapper alone does not. */
export const REMEMBERING_V1: Readonly<Record<string, Rule>> = {
  'whole-messages': (event, told) => {
    if (event.type !== 'whole_message' && event.type !== 'whole_thought') return [event];
    if (getMessage(told, event)) return [];
    const { messageId, content = [], meta } = event;
    return content.map((block, index) => {
      const facts = { messageId, content: block, ...(index === 0 && meta && { meta }) };
      return event.type === 'whole_thought'
        ? { type: 'thought_chunk', ...facts }
        : { type: 'message_chunk', speaker: event.speaker, ...facts };
    });
  },
};

/** The same, in other words: nothing is lost by it. */
export const REWORDED_V1: Readonly<Record<string, Rule>> = {
  'tool-call-chunks': (event, told) => {
    if (event.type !== 'tool_call_chunk') return [event];
    const { toolCallId } = event;
    return [
      { type: 'tool_call', toolCallId, content: [...(getToolCall(told, toolCallId)?.content ?? []), event.content] },
    ];
  },
};

export const V1_RULES: Readonly<Record<string, Rule>> = {
  ...REMEMBERING_V1,
  'tool-kinds': (event) =>
    event.type === 'tool_call' && event.kind !== undefined ? [{ ...event, kind: knownToolKind(event.kind) }] : [event],
  'tool-statuses': (event) => {
    if (event.type !== 'tool_call' || event.status === undefined) return [event];
    const known = ['pending', 'in_progress', 'completed', 'failed'].includes(event.status);
    return [{ ...event, status: known ? event.status : event.status === 'cancelled' ? 'failed' : 'in_progress' }];
  },
  'cleared-titles': (event) => {
    if (event.type !== 'tool_call') return [event];
    const { title, name, ...call } = event;
    return [{ ...call, ...(title != null && { title }), ...(name != null && { name }) }];
  },
  'cancel-one': (event) => {
    if (event.type !== 'tool_call') return [event];
    const { canCancel: _, ...call } = event;
    return [call];
  },
  'unknown-parts': (event) => withParts(event, textOfPart),
  'plan-words': (event) => {
    if (event.type !== 'plan') return [event];
    const entries = event.entries.map(({ content, priority, status }) => ({
      content,
      priority: ['high', 'medium', 'low'].includes(priority) ? priority : 'medium',
      status: status === 'cancelled' ? 'completed' : ['in_progress', 'completed'].includes(status) ? status : 'pending',
    }));
    return [{ ...event, entries }];
  },
  'plan-kinds': (event) => (event.type === 'plan' ? [{ type: 'plan', entries: event.entries }] : [event]),
  'agent-terminals': (event) => (event.type === 'terminal' || event.type === 'terminal_output' ? [] : [event]),
  states: (event) => (event.type === 'state' ? [] : [event]),
};

/** What the agent's peer of version 2 does. */
export const REMEMBERING_V2: Readonly<Record<string, Rule>> = {
  'message-ids': (event) =>
    (event.type === 'message_chunk' || event.type === 'thought_chunk') && event.messageId === undefined
      ? [{ ...event, messageId: 'given' }]
      : [event],
};

export const V2_RULES: Readonly<Record<string, Rule>> = {
  ...REMEMBERING_V2,
  modes: (event) => (event.type === 'mode' ? [] : [event]),
  'file-texts': (event) =>
    withParts(event, (part) => {
      if (part.type !== 'diff') return part;
      const patch = gitPatch(part);
      const operation = part.oldText == null ? 'add' : 'modify';
      const changes = [{ operation, path: part.path, fileType: 'text' }];
      return { type: 'changes', changes, ...(patch !== undefined && { patch }) };
    }),
  'line-zero': (event) => {
    if (event.type !== 'tool_call' || !event.locations) return [event];
    return [{ ...event, locations: event.locations.map(({ path, line }) => ({ path, ...(line && { line }) })) }];
  },
  addresses: (event) => withBlocks(event, withAddress),
  'empty-choices': (event) => {
    if (event.type !== 'config') return [event];
    const options = event.options.map((option) => {
      if (option.type !== 'select') return option;
      const values = option.options.filter((each) => !('group' in each) || each.options.length > 0);
      return { ...option, options: values as typeof option.options };
    });
    return [{ ...event, options: options.filter((each) => each.type !== 'select' || each.options.length > 0) }];
  },
  'half-characters': (event) => {
    if (event.type === 'terminal_output') return [{ ...event, text: wellFormed(event.text) }];
    return event.type === 'terminal' && event.output !== undefined
      ? [{ ...event, output: wellFormed(event.output) }]
      : [event];
  },
};

/** What a peer hears of an event, rule after rule. */
export function applyRules(
  rules: Readonly<Record<string, Rule>>,
  event: SessionEvent,
  told: Transcript,
): SessionEvent[] {
  return Object.values(rules).reduce<SessionEvent[]>(
    (events, rule) => events.flatMap((each) => rule(each, told)),
    [event],
  );
}

function textOfPart(part: ToolCallContent): ToolCallContent {
  if (part.type !== 'unknown') return part;
  return { type: 'content', content: { type: 'text', text: JSON.stringify(part.raw) } };
}

function withParts(event: SessionEvent, change: (part: ToolCallContent) => ToolCallContent): SessionEvent[] {
  if (event.type === 'tool_call_chunk') return [{ ...event, content: change(event.content) }];
  return event.type === 'tool_call' && event.content ? [{ ...event, content: event.content.map(change) }] : [event];
}

function withBlocks(event: SessionEvent, change: (block: Content) => Content): readonly SessionEvent[] {
  switch (event.type) {
    case 'message_chunk':
    case 'thought_chunk':
    case 'compaction_chunk':
      return [{ ...event, content: change(event.content) }];
    case 'whole_message':
    case 'whole_thought':
      return [{ ...event, ...(event.content && { content: event.content.map(change) }) }];
    case 'session_message':
      return [{ ...event, content: event.content.map(change) }];
    case 'compaction':
      return [{ ...event, ...(event.summary && { summary: event.summary.map(change) }) }];
    default:
      return withParts(event, (part) => (part.type === 'content' ? { ...part, content: change(part.content) } : part));
  }
}

function withAddress(block: Content): Content {
  if (block.type === 'resource_link') return { ...block, uri: toUri(block.uri) };
  return block.type === 'resource'
    ? { ...block, resource: { ...block.resource, uri: toUri(block.resource.uri) } }
    : block;
}

function toUri(address: string): string {
  if (isAbsolutePath(address)) return fileUri(address);
  return /^[a-z]+:\/\//.test(address) ? address : `urn:${encodeURIComponent(address)}`;
}

function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
