import type { Shape } from '@parley/host/json-files';
import { AMOUNT, openObject, optional, required, TEXT } from './format.ts';

/** What was decided when an agent asked for leave, and why. */
export interface PermissionRecord {
  readonly toolCallId?: string;
  readonly title?: string;
  readonly kind?: string;
  /** `allowed`, `rejected` or `cancelled`. */
  readonly outcome: string;
  /** `rule`, `person`, `nobody` or `cancelled`. */
  readonly by: string;
  /** The option that was chosen. */
  readonly optionId?: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
  readonly optionKind?: string;
  readonly because?: string;
  /** In milliseconds since the case began. */
  readonly timestamp: number;
}

export const PERMISSION: Shape = openObject<PermissionRecord>({
  toolCallId: optional(TEXT, 'the tool call that it was about'),
  title: optional(TEXT, 'its title'),
  kind: optional(TEXT, 'read, edit, execute and so on'),
  outcome: required(TEXT, 'allowed, rejected or cancelled'),
  by: required(TEXT, 'who decided: rule, person, nobody or cancelled'),
  optionId: optional(TEXT, 'the option that was chosen'),
  optionKind: optional(TEXT, 'allow_once, allow_always, reject_once or reject_always'),
  because: optional(TEXT, 'why, in a sentence'),
  timestamp: required(AMOUNT, 'when, in milliseconds since the case began'),
});
