import { cleanLine } from '../../terminal/text/clean-text.ts';
import type { Line } from '../../terminal/text/styled-text.ts';
import { STYLES } from '../../terminal/text/styled-text.ts';
import { viewNote } from '../../view/entry-view.ts';
import type { ViewOptions } from '../../view/view-options.ts';

export interface Welcome {
  readonly agentName: string;
  readonly sessionId: string;
  /** True for whoever has never written anything here. */
  readonly isFirstRun: boolean;
}

/** Who is talked to, in which session, and the first time also what to do. */
export function viewWelcome({ agentName, sessionId, isFirstRun }: Welcome, options: ViewOptions): Line[] {
  const words = cleanLine(`${agentName}, session ${shortId(sessionId)}`);
  return viewNote(isFirstRun ? `${words}\n${FIRST_WORDS}` : words, options, STYLES.dim);
}

/** The beginning is enough to name a session; /session tells all of it. */
function shortId(id: string): string {
  return id.length > MAX_ID ? id.slice(0, SHORT_ID) : id;
}

const MAX_ID = 24;
const SHORT_ID = 13;

const FIRST_WORDS =
  'Write what you want done and press enter. @ names a file, / lists commands, ? lists keys; esc stops the agent, ctrl+d leaves.';
