import type { PermissionOption } from '@parley/protocol';

/** Puts a question with these answers to the person. */
export type Ask = (options: readonly PermissionOption[]) => Promise<AskedChoice>;

export interface AskedChoice {
  readonly isAllowed: boolean;
  /** Undefined when they chose nothing. */
  readonly optionId: string | undefined;
}
