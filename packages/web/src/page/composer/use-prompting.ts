import type { Transcript, Turn } from '@parley/client';
import { useReducer } from 'preact/hooks';
import type { OpenSession } from '../sessions/open-session.ts';
import { buildPrompt, readPrompt } from './build-prompt.ts';
import type { Attachments } from './use-attachments.ts';
import type { Writing } from './use-writing.ts';

interface PromptingOptions {
  readonly transcript: Transcript;
  readonly writing: Writing;
  readonly attachments: Attachments;
  readonly onProblem: (problem: string) => void;
}

export interface Prompting {
  readonly isWorking: boolean;
  readonly queue: readonly Turn[];
  /** Whether what is sent now can reach the turn that runs. */
  readonly canSteer: boolean;
  /** Sends what was written: into the turn that runs where the agent can, or `queue` in any case behind it. */
  send(whenBusy?: 'steer' | 'queue'): void;
  /** Asks the agent to stop; a second time, it is no longer waited for. */
  stop(): void;
  edit(turn: Turn): void;
  remove(turn: Turn): void;
}

/** Sends what was written, at once or when the agent is free, and stops the agent. */
export function usePrompting(
  open: OpenSession,
  { transcript, writing, attachments, onProblem }: PromptingOptions,
): Prompting {
  const { session } = open;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { state } = transcript;
  const tell = (error: unknown): void => onProblem(error instanceof Error ? error.message : String(error));
  /** What waits is not lost with the turn that it waited for: it comes back to be sent anew. */
  const takeBack = (turns: readonly Turn[]): void => {
    const prompts = turns.map(({ prompt }) => readPrompt(prompt, session.cwd));
    const words = prompts.map(({ text }) => text).filter((text) => text !== '');
    writing.restore(
      words.join('\n\n'),
      prompts.flatMap(({ chosen }) => chosen),
    );
    attachments.restore(prompts.flatMap(({ blocks }) => blocks));
  };
  return {
    isWorking: state === 'running' || state === 'waiting' || state === 'cancelling',
    queue: session.queue,
    canSteer: (state === 'running' || state === 'waiting') && open.connection.offers.steer,
    send(whenBusy = 'steer') {
      const prompt = buildPrompt(writing.text, {
        cwd: session.cwd,
        chosen: writing.chosen,
        attachments: attachments.list,
      });
      if (prompt.length === 0) return;
      try {
        const turn = session.prompt(prompt, { whenBusy });
        // The transcript tells how it ended; the queue has changed then.
        turn.result.catch(() => {}).finally(() => redraw(0));
      } catch (error) {
        return tell(error);
      }
      onProblem('');
      writing.write('');
      attachments.clear();
    },
    stop() {
      if (session.queue.length > 0) takeBack(session.queue);
      session.cancel().catch(tell);
    },
    edit(turn) {
      takeBack([turn]);
      void turn.cancel().finally(() => redraw(0));
    },
    remove(turn) {
      void turn.cancel().finally(() => redraw(0));
    },
  };
}
