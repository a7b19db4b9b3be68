import type { Description } from '../description/description.ts';
import { buildArguments } from './build-arguments.ts';
import { type PastTurn, withHistory } from './history.ts';
import { formatPrompt } from './prompt-message.ts';

export interface CommandForOptions {
  readonly prompt: string;
  readonly cwd: string;
  /** The turns before. A command that can resume is not told them again. */
  readonly past?: readonly PastTurn[];
  /** The command's own session to go on with. */
  readonly sessionId?: string | undefined;
}

/** How a command is started for a prompt, as its description says: its arguments, and what it is told on stdin. */
export interface CommandStart {
  readonly argv: readonly string[];
  readonly input?: string;
}

/** The command line for one prompt, for who runs it without a session of ours. */
export function commandFor(description: Description, options: CommandForOptions): CommandStart {
  const { cwd, past = [], sessionId } = options;
  const resumes = description.sessionMode !== 'iterative' && description.resume ? sessionId : undefined;
  const text = resumes === undefined ? withHistory(description, past, options.prompt) : options.prompt;
  if (!description.prompt.stdin) return { argv: buildArguments(description, { cwd, resumes, prompt: text }) };
  const input = formatPrompt(description, { text, images: [], sessionId: resumes, cwd, isFirst: true });
  return { argv: buildArguments(description, { cwd, resumes }), input };
}
