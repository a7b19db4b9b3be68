import { type PromptInput, queuedPrompts, type SessionProgress } from '@parley/session';

export interface NextPromptOptions {
  /** Whether the prompts of clients of other processes are run here too. */
  readonly runsAll: boolean;
  /** Whether a client of this process waits for a prompt. */
  readonly isAskedHere: (promptId: string) => boolean;
  /** Whether a process is known to have ended. */
  readonly hasEnded: (process: string) => boolean;
}

export interface NextPrompt {
  readonly input: PromptInput;
  /** The client that asked for it is gone, and nobody is to run it. */
  readonly isAbandoned: boolean;
}

/**
 * The oldest prompt in the log of a session that its owner has to start. Where turns end with their clients, a prompt belongs to
 * the process that asked for it: another one leaves it in the log, and only reports it when that process has ended.
 */
export function nextPrompt(
  progress: SessionProgress | undefined,
  { runsAll, isAskedHere, hasEnded }: NextPromptOptions,
): NextPrompt | undefined {
  for (const { input } of queuedPrompts(progress)) {
    const { promptId, process } = input;
    const cancel = progress?.inputs.find((each) => each.input.type === 'cancel' && each.input.turnId === promptId);
    if (cancel?.input.type === 'cancel' && cancel.input.hasLeft) return { input, isAbandoned: true };
    // The owner is about to act on the cancel.
    if (cancel) continue;
    if (runsAll || isAskedHere(promptId)) return { input, isAbandoned: false };
    if (process !== undefined && hasEnded(process)) return { input, isAbandoned: true };
  }
  return undefined;
}
