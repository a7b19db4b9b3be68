import type { ChatHooks } from '../open-chat.ts';
import type { ChatControls } from './chat-controls.ts';
import type { PhaseWatch } from './phase-watch.ts';

/** What the interactive chat does about things that need its screen, while a session is being opened and after. */
export function chatHooks(chat: ChatControls, phase: PhaseWatch, signal: AbortSignal): ChatHooks {
  return {
    onPhase: (event) => {
      phase.follow(event, chat.conversation.session !== undefined);
      chat.window.redraw();
    },
    onSilence: (report) => {
      if (!report.isWaitingForPerson) chat.note(report.message);
    },
    onNote: (text) => chat.note(text),
    askSecret: (method) => chat.dialogs.askSecret(method),
    chooseLogin: (error) => chat.dialogs.chooseLogin(error, chat.conversation.target.agent.title),
    lendTerminal: (use) => chat.window.lend(use),
    signal,
  };
}
