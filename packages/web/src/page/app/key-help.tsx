import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog.tsx';
import { PANELS } from './panels.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl+K', 'everything that can be done, by name'],
  ['Ctrl+I', 'inspector of this session'],
  ['?', 'this list'],
  ['g n', 'new session'],
  ['g a', 'the session that waits for you'],
  ['g s', 'search sessions'],
  ...PANELS.map(({ key, title }) => [`g ${key}`, `show or hide ${title.toLowerCase()}`] as const),
  ['Enter', 'send the message; Shift+Enter begins a new line'],
  ['Ctrl+Enter', 'while the agent works: send the message when it is done, not into its turn'],
  ['Escape', 'stop the agent, or close what is open'],
  ['1 to 9', 'answer a question with that option'],
  ['Up', 'in an empty message: what you said before'],
  ['Alt+Up, Alt+Down', 'in the conversation: the message before or after'],
  ['[ and ]', 'in the conversation: the tool call before or after'],
];

export function KeyHelp({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="key-help">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">On a Mac, Cmd takes the place of Ctrl. Single letters count where you are not typing.</p>
    </Dialog>
  );
}
