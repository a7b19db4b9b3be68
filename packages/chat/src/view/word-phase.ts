import type { PhaseEvent } from '@parley/client';
import { cleanLine } from '@parley/terminal';
import { wordDuration } from './wording.ts';

/** What is being waited for, and what the agent said last while we do. */
export function wordPhase({ phase, status, agent, elapsedMs, stderrTail }: PhaseEvent): string {
  const waited = status === 'waiting' ? ` ${wordDuration(elapsedMs)}` : '';
  const last = cleanLine(stderrTail?.trim().split('\n').at(-1) ?? '');
  return `${WORDS[phase]} ${cleanLine(agent)}${waited}${last === '' ? '' : ` (${last})`}`;
}

const WORDS: { readonly [Phase in PhaseEvent['phase']]: string } = {
  spawn: 'Starting',
  initialize: 'Waiting for the first answer of',
  authenticate: 'Logging in to',
  'session/new': 'Opening a session of',
  'session/load': 'Loading the session from',
  'session/resume': 'Resuming the session of',
  'session/fork': 'Forking the session of',
};
