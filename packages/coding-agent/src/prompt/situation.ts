import { situationText } from '@parley/models/model';
import type { BehaviourModeId } from '@parley/policy/modes';

export interface Situation {
  readonly mode: BehaviourModeId;
  /** Files and commands are reached through the sandbox only. */
  readonly isSandboxed: boolean;
  readonly date: string;
  /** Tools that the model was told of and cannot use now. */
  readonly unusableTools: readonly string[];
}

const MODES: Readonly<Record<BehaviourModeId, string>> = {
  code: 'You may use your tools; some of them ask the person first.',
  architect:
    'You are planning: nothing can be changed now. Understand the code, work out a plan, and put it to the person with exit_plan_mode when it is ready.',
  ask: 'The person is asked before every change. Before each one say in a sentence what it will do and why.',
};

const SANDBOX =
  'You work in a sandbox: use the sandbox_* tools for files and commands. They reach the working directory and the programs of the system, and have no network. When they say that there is no sandbox, tell the person and stop.';

/** What holds now, for the model to read in the conversation. */
export function describeSituation({ mode, isSandboxed, date, unusableTools }: Situation): string {
  return situationText([
    `Date: ${date}`,
    MODES[mode],
    ...(isSandboxed ? [SANDBOX] : []),
    ...(unusableTools.length > 0 ? [`Cannot be used now: ${unusableTools.join(', ')}.`] : []),
  ]);
}
