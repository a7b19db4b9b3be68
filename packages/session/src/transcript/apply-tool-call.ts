import type { ToolCallChunk, ToolCallEvent } from '../event.ts';
import { appendEntry, findEntry, replaceEntry } from './entries.ts';
import type { ToolCallEntry } from './entry.ts';
import { patchMeta } from './patch-meta.ts';
import type { Transcript } from './transcript.ts';

/** Creates a tool call or changes the fields that the event names; lists replace what was there. */
export function applyToolCall(transcript: Transcript, event: ToolCallEvent, at: number | undefined): Transcript {
  const position = findToolCall(transcript, event.toolCallId);
  const known = position === undefined ? undefined : transcript.entries.at(position);
  const fields = readFields(event);
  if (position === undefined || known?.type !== 'tool_call' || isReused(transcript, known, event)) {
    const entry = { ...DEFAULTS, title: event.name ?? event.toolCallId, ...fields };
    return appendEntry(
      transcript,
      { type: 'tool_call', toolCallId: event.toolCallId, ...entry },
      {
        at,
        meta: patchMeta(undefined, event.meta),
        key: keyOf(event.toolCallId),
      },
    );
  }
  const hasEnded = isFinal(fields.status) && !isFinal(known.status) && at !== undefined;
  const { meta: before, name: nameBefore, ...kept } = known;
  const meta = patchMeta(before, event.meta);
  const name = event.name === undefined ? nameBefore : (event.name ?? undefined);
  return replaceEntry(transcript, position, {
    ...kept,
    ...fields,
    ...(name !== undefined && { name }),
    ...(event.title === null && { title: name ?? event.toolCallId }),
    ...(hasEnded && { endedAt: at }),
    ...(meta && { meta }),
  });
}

/** Adds to what a tool call shows; a call that nobody has told of begins with it. */
export function applyToolCallChunk(
  transcript: Transcript,
  { toolCallId, content }: ToolCallChunk,
  at: number | undefined,
): Transcript {
  const shown = getToolCall(transcript, toolCallId)?.content ?? [];
  return applyToolCall(transcript, { type: 'tool_call', toolCallId, content: [...shown, content] }, at);
}

/** The latest state of one tool call. */
export function getToolCall(transcript: Transcript, toolCallId: string): ToolCallEntry | undefined {
  const position = findToolCall(transcript, toolCallId);
  const entry = position === undefined ? undefined : transcript.entries.at(position);
  return entry?.type === 'tool_call' ? entry : undefined;
}

/** Marks what the last turn left unfinished; the specification wants it shown at once (rule 82). */
export function cancelToolCalls(transcript: Transcript): Transcript {
  let { entries } = transcript;
  let position = transcript.turns.at(-1)?.firstEntry ?? 0;
  for (const entry of transcript.entries.from(position)) {
    if (entry.type === 'tool_call' && !isFinal(entry.status))
      entries = entries.set(position, { ...entry, status: 'cancelled' });
    position += 1;
  }
  return entries === transcript.entries ? transcript : { ...transcript, entries };
}

/**
 * Agents that count their calls anew in each turn give two of them one id. News of an old call, such as a command that
 * went on in the background, has no title; a call that begins has one.
 */
function isReused(transcript: Transcript, known: ToolCallEntry, event: ToolCallEvent): boolean {
  const isOld = known.turn !== undefined && known.turn !== transcript.turns.length - 1;
  return isOld && isFinal(known.status) && event.title != null && !isFinal(event.status);
}

export function isFinal(status: ToolCallEntry['status'] | undefined): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

const DEFAULTS = { kind: 'other', status: 'pending', content: [], locations: [] } as const;

function findToolCall(transcript: Transcript, toolCallId: string): number | undefined {
  return findEntry(transcript, keyOf(toolCallId));
}

const keyOf = (toolCallId: string): string => `tool ${toolCallId}`;

function readFields(event: ToolCallEvent): Partial<Omit<ToolCallEntry, 'type' | 'toolCallId' | 'meta'>> {
  const { type: _type, toolCallId: _id, meta, title, name, ...fields } = event;
  const parentToolCallId = parentOf(meta);
  return {
    ...fields,
    ...(title != null && { title }),
    ...(name != null && { name }),
    ...(parentToolCallId !== undefined && { parentToolCallId }),
  };
}

/** ACP v1 has no word for the calls of sub-agents; claude-agent-acp tells the parent in `_meta`. */
function parentOf(meta: ToolCallEvent['meta']): string | undefined {
  const vendor = meta?.claudeCode;
  if (typeof vendor !== 'object' || vendor === null) return undefined;
  const { parentToolUseId } = vendor as { parentToolUseId?: unknown };
  return typeof parentToolUseId === 'string' ? parentToolUseId : undefined;
}
