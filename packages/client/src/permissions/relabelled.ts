import type { QuestionedToolCall, ToolCallEntry, ToolKind } from '@parley/session';

/** Kinds that change something or reach elsewhere. */
const CHANGING: ReadonlySet<ToolKind> = new Set(['edit', 'delete', 'move', 'execute', 'fetch']);

/**
 * Why a permission request does not speak of the call that was announced; undefined when it does. A call that was a
 * change, or had a command, does not become a mere look by being asked about as one.
 */
export function relabelled(request: QuestionedToolCall, known: ToolCallEntry | undefined): string | undefined {
  if (!known) return undefined;
  const kind = request.kind ?? known.kind;
  if (CHANGING.has(known.kind) && !CHANGING.has(kind))
    return `The agent announced this call as ${known.kind} and asks about it as ${kind}.`;
  const lostCommand = hasCommand(known.rawInput) && request.rawInput != null && !hasCommand(request.rawInput);
  return lostCommand ? 'The agent announced this call with a command and asks about it without one.' : undefined;
}

function hasCommand(input: unknown): boolean {
  return typeof input === 'object' && input !== null && ('command' in input || 'cmd' in input);
}
