import type { JSX } from 'preact';
import { Dialog } from '../parts/dialog.tsx';
import { KEYS } from './keys.ts';

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
