import { NOTES_FILE } from '../../run/workspace.ts';

/** What is said to the agent to bring a behaviour about. */
export interface Prompts {
  /** Any agent can answer this without tools. */
  readonly plain: string;
  readonly toolCall: string;
  readonly permission: string;
  readonly terminal: string;
  /** Long enough to be cancelled. */
  readonly longTurn: string;
  /** There is no sentence that makes any agent ask a question, so this one must be told. */
  readonly elicitation?: string;
}

/** Plain requests that a coding agent fulfils with its tools; one without tools simply answers them. */
export const DEFAULT_PROMPTS: Prompts = {
  plain: 'Reply with the single word: ready',
  toolCall: `Read the file ${NOTES_FILE} in the current directory and reply with its first word.`,
  permission: 'Create a file named parley-check.txt in the current directory that contains the word ok.',
  terminal: 'Run the shell command "echo parley" and reply with its output.',
  longTurn: 'Write the numbers from 1 to 400 in English words, one per line. Do not use tools.',
};
