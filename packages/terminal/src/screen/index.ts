export type { LiveRegion } from './screen.ts';
export { TerminalWindow, type TerminalWindowOptions, type View } from './terminal-window.ts';
