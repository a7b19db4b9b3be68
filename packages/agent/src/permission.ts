import type { PermissionOption } from '@parley/protocol';
import type { RunningTurn } from './running-turn.ts';
import { OpenToolCall, type ToolCallHandle } from './tool-call.ts';

export interface PermissionSettings {
  readonly mode?: string;
}

export interface AskPermissionOptions {
  /** What the person can choose from. Default: allow once, always allow, reject. */
  readonly options?: readonly PermissionOption[];
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Whether a tool call may run, and why. */
export interface PermissionDecision {
  readonly allowed: boolean;
  /** One sentence for a person. */
  readonly because: string;
  /** The option that the person chose, if one was asked. */
  readonly optionId?: string;
  /** The decision holds for the next time too. */
  readonly remembered?: boolean;
}

const DEFAULT_OPTIONS: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
];

/** Asks the rules, and then the person. Nobody to ask, and any answer that is not a clear yes, means no. */
export async function askPermission(
  turn: RunningTurn,
  call: ToolCallHandle,
  { options = DEFAULT_OPTIONS, meta }: AskPermissionOptions,
): Promise<PermissionDecision> {
  const { session, wire, signal } = turn;
  signal.throwIfAborted();
  const toolCall = call instanceof OpenToolCall ? call.event : { toolCallId: call.id };
  const { optionId } = await wire.askPermission({ sessionId: session.id, toolCall, options, meta }, { signal });
  const chosen = options.find((option) => option.optionId === optionId);
  if (!chosen) return { allowed: false, because: 'No answer was given.' };
  const allowed = chosen.kind === 'allow_once' || chosen.kind === 'allow_always';
  return {
    allowed,
    because: allowed ? 'The person allowed it.' : 'The person rejected it.',
    optionId: chosen.optionId,
  };
}
