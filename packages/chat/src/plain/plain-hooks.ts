import type { ChatHooks } from '../conversation/open-chat.ts';
import { chooseNumber, type Lines } from '../questions/ask-in-lines.ts';
import { wordPhase } from '../view/word-phase.ts';

export interface PlainHooksOptions {
  readonly agentTitle: string;
  readonly say: (line: string) => void;
  readonly lines: () => Lines;
  /** Reads a line without showing it. */
  readonly readSecret: (prompt: string) => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

/** What the plain chat does about things that need a person, while a session is being opened and after. */
export function plainHooks({ agentTitle, say, lines, readSecret, signal }: PlainHooksOptions): ChatHooks {
  return {
    onPhase: (event) => {
      if (event.status === 'waiting') say(`note: ${wordPhase(event)}`);
    },
    onSilence: (report) => {
      if (!report.isWaitingForPerson) say(`note: ${report.message}`);
    },
    onNote: (text) => say(`note: ${text}`),
    chooseLogin: async ({ methods }) => {
      if (methods.length === 0) return undefined;
      say(`question: ${agentTitle} wants you to log in`);
      const index = await chooseNumber(
        methods.map(({ name }) => name),
        lines(),
      );
      return index === undefined ? undefined : methods[index]?.id;
    },
    askSecret: async ({ name, description }) => {
      say(`question: ${name}${description == null ? '' : `: ${description}`}`);
      return (await readSecret('secret: '))?.trim() || undefined;
    },
    lendTerminal: (use) => use(),
    signal,
  };
}
