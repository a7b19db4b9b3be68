import { nameOfAgent } from '../conversation/name-of-agent.ts';
import { switchesPermissions } from '../conversation/permission-steps.ts';
import { viewRemark } from '../view/entry-view.ts';
import type { ViewOptions } from '../view/view-options.ts';
import type { ChatControls } from './chat-controls.ts';
import type { LiveState } from './live-view.ts';
import { wordPermissions } from './view/word-permissions.ts';

/** What the chat as a whole shows below the scrollback at this moment. */
export function liveStateOf(
  chat: ChatControls,
  { branch, phase }: Pick<LiveState, 'branch' | 'phase'>,
  view: ViewOptions,
): LiveState {
  const { conversation, printer, window } = chat;
  const { transcript, target, policyMode, isBusy } = conversation;
  const permissionMode = target.permissionMode === 'denyAll' ? 'denyAll' : policyMode;
  const floating = printer.floating.map((index) => transcript?.entries.at(index));
  const notices = floating.flatMap((entry) => (entry?.type === 'notice' ? viewRemark(entry, view) : []));
  // What is being asked about is told there.
  const asked = new Set(
    conversation.questions.flatMap((question) =>
      question.type === 'permission' ? [question.toolCall.toolCallId] : [],
    ),
  );
  return {
    agentTitle: nameOfAgent(conversation),
    permissions: wordPermissions({ permissionMode }, transcript),
    isSwitched: switchesPermissions(transcript, target),
    keys: chat.composer.keyState,
    shell: chat.shell,
    transcript,
    branch,
    tail: [...printer.tail(view), ...notices],
    running: floating.flatMap((entry) => (entry?.type === 'tool_call' && !asked.has(entry.toolCallId) ? [entry] : [])),
    isThinking: printer.isThinking(view),
    phase,
    queue: chat.queue,
    steering: conversation.steering,
    canSteer: conversation.canSteer,
    dialog: chat.dialogs.current,
    composer: chat.composer,
    hint: chat.display.hint || (isBusy || chat.shell ? 'esc stops' : '? keys'),
    spin: window.moves,
    rows: window.rows,
  };
}
