import { getToolCall } from '@parley/client';
import { restyle, STYLES, withPrefix } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import { MarkdownStream, renderBlocks } from '@parley/terminal/markdown';
import { pickOption } from '../commands/pickers.ts';
import { nextPermissions } from '../conversation/permission-steps.ts';
import { viewToolCall } from '../view/tool-call-view.ts';
import type { ChatControls } from './chat-controls.ts';
import { runEditor } from './run-editor.ts';

/** Does what a key means for the chat as a whole. False when it is for the text that is being written. */
export function runKey(key: Key, chat: ChatControls): boolean {
  const { composer } = chat;
  if (key.type === 'text') return key.text === '?' && composer.isEmpty && !composer.search && showHelp(chat);
  if (key.type === 'paste') return false;
  if (key.name === 'escape' || key.name === 'ctrl+c') {
    const isForText = composer.completion !== undefined || composer.takesEscape;
    if (composer.search || (isForText && key.name === 'escape')) return false;
    return key.name === 'escape' ? stopTurn(chat) : interrupt(chat);
  }
  // What is written below a list cannot be changed as long as that is open.
  if (key.name === 'ctrl+d' && (composer.isEmpty || chat.dialogs.current?.canClose)) chat.leave();
  else if (key.name === 'up' && composer.isEmpty && chat.queue.length > 0) takeBack(chat);
  else {
    const action = ACTIONS[key.name];
    if (!action) return false;
    action(chat);
  }
  return true;
}

const ACTIONS: Readonly<Record<string, (chat: ChatControls) => void>> = {
  'shift+tab': switchPermissions,
  'ctrl+o': toggleDetails,
  'ctrl+t': toggleThoughts,
  'ctrl+g': editOutside,
  'ctrl+l': (chat) => chat.window.redrawAll(),
  'ctrl+z': (chat) => void chat.window.suspend(),
  'ctrl+v': pasteImage,
  'alt+v': pasteImage,
  'alt+p': (chat) => {
    const picker = pickOption(chat.conversation);
    if (picker) chat.dialogs.pick(picker);
  },
};

function stopTurn(chat: ChatControls): true {
  if (chat.shell) chat.shell.stop();
  else if (chat.conversation.isBusy) chat.stop();
  return true;
}

/** The first time it stops or clears, the second time it leaves. */
function interrupt(chat: ChatControls): true {
  if (chat.display.hint === LEAVE_HINT) {
    if (chat.conversation.isBusy) chat.conversation.insist();
    chat.leave(chat.conversation.session ? 'left' : 'interrupted');
    return true;
  }
  if (chat.shell) chat.shell.stop();
  else if (chat.conversation.isBusy) chat.stop();
  else chat.composer.clear();
  chat.display.showHint(LEAVE_HINT);
  return true;
}

const LEAVE_HINT = 'ctrl+c again leaves';

function takeBack(chat: ChatControls): void {
  const text = chat.takeBack();
  if (text !== undefined) chat.composer.setText(text);
}

/** Ask, accept edits, plan: by the agent's own option or modes where it has them, else by our policy. */
function switchPermissions(chat: ChatControls): void {
  const { conversation } = chat;
  const { session, target, policyMode, transcript } = conversation;
  if (!session) return;
  const next = nextPermissions(transcript, { ...target, policyMode });
  chat.display.showHint(next.words);
  if (next.type === 'policy') conversation.setPolicyMode(next.mode);
  else if (next.type === 'option') void chat.attempt(() => session.setOption(next.optionId, next.value));
  else if (next.type === 'mode') void chat.attempt(() => session.setMode(next.modeId));
}

/** From now on tool calls are shown whole, and what is asked about, or the last call, at once. */
function toggleDetails(chat: ChatControls): void {
  const isDetailed = chat.display.toggleDetails();
  if (isDetailed && chat.dialogs.showWhole()) return;
  const { lastToolCall } = chat.printer;
  const { transcript } = chat.conversation;
  const call = transcript && lastToolCall !== undefined ? getToolCall(transcript, lastToolCall) : undefined;
  if (isDetailed && call && transcript) chat.printer.add('tool', viewToolCall(call, transcript, chat.view));
  else chat.display.showHint(isDetailed ? 'tool calls are shown whole' : 'tool calls are shown short');
}

/** From now on thoughts are shown, and the last one at once. */
function toggleThoughts(chat: ChatControls): void {
  const showsThoughts = chat.display.toggleThoughts();
  const folded = showsThoughts && !chat.printer.isReadingThought ? chat.printer.takeFoldedThought() : '';
  if (folded === '') {
    chat.display.showHint(showsThoughts ? 'thoughts are shown' : 'thoughts are folded');
    return;
  }
  const stream = new MarkdownStream();
  stream.push(folded);
  const lines = renderBlocks(stream.finish(), chat.view.width - 2).slice(1);
  chat.printer.add(
    'thought',
    withPrefix(
      lines.map((line) => restyle(line, STYLES.dim)),
      [{ text: '  ' }],
    ),
  );
}

function editOutside(chat: ChatControls): void {
  void chat.attempt(async () => {
    const { text } = chat.composer.editor;
    const changed = await chat.window.lend(() => runEditor(text, chat.environment.env));
    if (changed !== undefined) chat.composer.setText(changed);
  });
}

/** The terminal pastes text by itself; an image it cannot. */
function pasteImage(chat: ChatControls): void {
  const { connection, target } = chat.conversation;
  if (connection && !connection.offers.image) {
    chat.note(`${target.agent.title} takes no images. Describe it in words.`);
    return;
  }
  void chat.attempt(async () => {
    const path = await chat.images.read();
    chat.composer.press({ type: 'paste', text: path });
  });
}

function showHelp(chat: ChatControls): true {
  chat.dialogs.showHelp();
  return true;
}
