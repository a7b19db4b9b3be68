import type { Turn } from '@parley/agent';

/** As much of a turn as tool calls need. */
export type ToolTurn = Pick<Turn, 'session' | 'client' | 'signal' | 'toolCall' | 'askPermission' | 'showTerminal'>;
