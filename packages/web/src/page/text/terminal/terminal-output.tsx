import type { ComponentType } from 'preact';
import { late } from '../../parts/late.tsx';
import type { TerminalViewProps } from './terminal-view.tsx';

/** `TerminalView`, whose code comes with the first command. */
export const TerminalOutput: ComponentType<TerminalViewProps> = late(
  async () => (await import('./terminal-view.tsx')).TerminalView,
);
