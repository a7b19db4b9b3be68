import type { ComponentType } from 'preact';
import { late } from '../parts/late.tsx';
import type { OpenSession } from '../sessions/open-session.ts';

/** A view beside the conversation. A new panel is a row in `PANELS`; header, keys, palette and list of keys follow from it. */
export interface Panel {
  /** Also the element's id and the value that local storage keeps. */
  readonly id: string;
  readonly title: string;
  /** The second key of `g <key>`. */
  readonly key: string;
  readonly View: ComponentType<{ readonly open: OpenSession }>;
}

export const PANELS: readonly Panel[] = [
  {
    id: 'changes',
    title: 'Changes',
    key: 'c',
    View: late(async () => (await import('../changes/changes.tsx')).Changes),
  },
];

const STORAGE_KEY = 'parley.panel';

/** The panel that was shown last; the first one where none was chosen yet. */
export function readPanel(): Panel | undefined {
  const id = localStorage.getItem(STORAGE_KEY);
  return id === null ? PANELS[0] : PANELS.find((panel) => panel.id === id);
}

export function savePanel(panel: Panel | undefined): void {
  localStorage.setItem(STORAGE_KEY, panel?.id ?? '');
}
