import type { Turn } from '@parley/agent';
import type { ModelRequest, ThinkingLevel } from '../models/model.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { CodingSession } from './coding-session.ts';
import { isPlanning, presetOf } from './options.ts';

/** What a request to the model says besides the history: who it is, where, and which tools it has. */
export function requestFor({
  turn,
  coding,
  now,
}: {
  readonly turn: Turn;
  readonly coding: CodingSession;
  readonly now: () => Date;
}): Omit<ModelRequest, 'messages'> {
  const { session } = turn;
  const { cwd, roots, options, id } = session;
  const { thinking } = options;
  return {
    system: systemPrompt({
      cwd,
      roots,
      mode: isPlanning(session) ? 'architect' : coding.behaviour,
      isSandboxed: presetOf(session) === 'sandbox',
      platform: process.platform,
      date: now().toISOString().slice(0, 10),
      instructions: coding.instructions,
      wishes: coding.wishes,
    }),
    tools: coding.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    cacheKey: id,
    ...(typeof thinking === 'string' && thinking !== 'default' && { thinking: thinking as ThinkingLevel }),
  };
}
