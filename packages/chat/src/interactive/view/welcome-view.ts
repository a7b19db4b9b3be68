import type { ClientSession } from '@parley/client';
import { cleanLine, type Line, STYLES } from '@parley/terminal';
import type { Conversation } from '../../conversation/conversation.ts';
import { nameWithVersion } from '../../conversation/name-of-agent.ts';
import { viewNote } from '../../view/entry-view.ts';
import type { ViewOptions } from '../../view/view-options.ts';

export interface Welcome {
  readonly session: ClientSession;
  /** What a person types to name it. */
  readonly id: string;
  readonly conversation: Pick<Conversation, 'target' | 'connection'>;
  /** True for whoever has never written anything here. */
  readonly isFirstRun: boolean;
}

/** Who is talked to, in which session, and the first time also what to do. */
export function viewWelcome({ session, id, conversation, isFirstRun }: Welcome, options: ViewOptions): Line[] {
  const lines = [
    cleanLine(`${nameWithVersion(conversation)}, session ${id}`),
    ...(isFirstRun ? [FIRST_WORDS] : []),
    ...(conversation.target.isOffline?.(session) ? [NO_MODEL] : []),
  ];
  return viewNote(lines.join('\n'), options, STYLES.dim);
}

const NO_MODEL =
  'No model is set up, so it follows plain commands only. /login takes a key and keeps it, as does a variable such as ANTHROPIC_API_KEY.';
const FIRST_WORDS =
  'Write what you want done and press enter. @ names a file, / lists commands, ? lists keys; esc stops the agent, ctrl+d leaves.';
