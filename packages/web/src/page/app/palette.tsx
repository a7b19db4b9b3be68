import type { JSX } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { useStore } from '../parts/use-store.ts';
import { nameOf, shortFolder } from '../sessions/session-list.ts';
import type { AppModel } from './app-model.ts';
import { allowNotifications, notifyPermission } from './notify.ts';
import { PANELS, type Panel } from './panels.ts';
import { setTheme } from './theme.ts';

export interface PaletteProps {
  readonly model: AppModel;
  readonly onClose: () => void;
  readonly onHelp: () => void;
  readonly onForget: () => void;
  readonly onPanel: (panel: Panel) => void;
}

interface Choice {
  readonly name: string;
  readonly detail?: string;
  readonly run: () => void;
}

const MAX_SHOWN = 12;

/** Everything that can be done, by name. */
export function Palette({ model, onClose, onHelp, onForget, onPanel }: PaletteProps): JSX.Element {
  const sessions = useStore(model.sessions);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const choices = useMemo((): readonly Choice[] => {
    const actions: Choice[] = [
      { name: 'New session', detail: 'g n', run: () => model.go({ name: 'new' }) },
      ...PANELS.map((panel) => ({
        name: `Show or hide ${panel.title.toLowerCase()}`,
        detail: `g ${panel.key}`,
        run: () => onPanel(panel),
      })),
      { name: 'Inspector', run: () => model.go({ name: 'inspector', query: new URLSearchParams() }) },
      { name: 'Theme: light', run: () => setTheme('light') },
      { name: 'Theme: dark', run: () => setTheme('dark') },
      { name: 'Theme: as the system', run: () => setTheme('system') },
      ...(notifyPermission() === 'unknown'
        ? [{ name: 'Tell me on the desktop when somebody waits for me', run: () => void allowNotifications() }]
        : []),
      { name: 'Keys', detail: '?', run: onHelp },
      { name: 'Forget the token of this server', run: onForget },
    ];
    const opened = sessions.map((session) => ({
      name: nameOf(session),
      detail: `${session.state === 'waiting' ? 'waiting for you · ' : ''}${session.agent} · ${shortFolder(session.cwd)}`,
      run: () => model.show(session),
    }));
    return [...actions, ...opened];
  }, [sessions, model, onPanel, onHelp, onForget]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = choices
    .filter(({ name, detail = '' }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .slice(0, MAX_SHOWN);
  const chosen = Math.min(at, found.length - 1);
  const run = (choice: Choice | undefined): void => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to or do" class="palette" onClose={onClose}>
      <input
        class="field"
        role="combobox"
        aria-label="Search"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
        autocomplete="off"
        placeholder="Session, or what to do"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" role="listbox" id={id} aria-label="What there is">
        {found.map((choice, index) => (
          <button
            type="button"
            key={`${choice.name}${choice.detail}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            class="palette-item"
            aria-selected={index === chosen}
            onClick={() => run(choice)}
          >
            <span>{choice.name}</span>
            {choice.detail !== undefined && <small>{choice.detail}</small>}
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="hint">Nothing has that name.</p>}
    </Dialog>
  );
}
