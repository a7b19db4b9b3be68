import type { ChatHooks } from '../conversation/open-chat.ts';
import type { ChatControls } from './chat-controls.ts';
import type { PhaseWatch } from './phase-watch.ts';

/** What the interactive chat does about things that need its screen, while a session is being opened and after. */
export function chatHooks(chat: ChatControls, phase: PhaseWatch, signal: AbortSignal): ChatHooks {
  // Whoever leaves answers nothing any more, and what waits for the answer must end.
  const left = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return {
    onPhase: (event) => {
      phase.follow(event, chat.conversation.session !== undefined);
      chat.window.redraw();
    },
    onSilence: (report) => {
      if (!report.isWaitingForPerson) chat.note(report.message);
    },
    onNote: (text) => chat.note(text),
    askSecret: (method) => Promise.race([chat.dialogs.askSecret(method), left]),
    chooseLogin: (error) => Promise.race([chat.dialogs.chooseLogin(error, chat.conversation.target.agent.title), left]),
    lendTerminal: (use) => chat.window.lend(use),
    signal,
  };
}
