import type { PermissionDecision, PermissionOptions } from '@parley/client';
import type { PermissionRecord } from '../formats/permission.ts';

/** Writes down every permission that an agent asks for, and what was decided. */
export class PermissionLog {
  readonly records: PermissionRecord[] = [];
  readonly #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  /** The same options, with this log listening. */
  watch(options: PermissionOptions = {}): PermissionOptions {
    return {
      ...options,
      onDecision: (decision) => {
        this.records.push(toRecord(decision, Date.now() - this.#start));
        options.onDecision?.(decision);
      },
    };
  }
}

function toRecord(
  { question, by, outcome, optionId, because }: PermissionDecision,
  timestamp: number,
): PermissionRecord {
  const { toolCallId, title, kind } = question.toolCall;
  const optionKind = question.options.find((option) => option.optionId === optionId)?.kind;
  return {
    toolCallId,
    ...(typeof title === 'string' && { title }),
    ...(typeof kind === 'string' && { kind }),
    outcome,
    by,
    ...(optionId !== undefined && { optionId }),
    ...(optionKind !== undefined && { optionKind }),
    ...(because !== undefined && { because }),
    timestamp,
  };
}
