import type { Turn } from '@parley/agent';
import type { ModelRequest, ThinkingLevel } from '@parley/models/model';
import { commandShell } from '../operations/shell.ts';
import { describeSituation } from '../prompt/situation.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { CodingSession } from '../session/coding-session.ts';
import { isPlanning, presetOf } from '../session/session-options.ts';

export interface RequestContext {
  readonly turn: Turn;
  readonly coding: CodingSession;
}

/** What a request to the model says besides the history: who it is, where, and which tools it has. */
export function modelRequestFor({ turn, coding }: RequestContext): Omit<ModelRequest, 'messages'> {
  const { cwd, roots, options, id } = turn.session;
  const { thinking } = options;
  return {
    system: systemPrompt({
      cwd,
      roots,
      platform: process.platform,
      shell: commandShell().name,
      isGit: coding.isGit,
      instructions: coding.instructions,
      skills: coding.skills,
      servers: coding.mcp.connected,
      settings: coding.settings,
    }),
    tools: coding.offeredTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    unusableTools: unusableTools(coding),
    cacheKey: id,
    ...(typeof thinking === 'string' && thinking !== 'default' && { thinking: thinking as ThinkingLevel }),
  };
}

/** What holds now and may change before the next request, as the model is told of it. */
export function situationFor({ turn, coding, now }: RequestContext & { readonly now: () => Date }): string {
  const { session } = turn;
  return describeSituation({
    mode: isPlanning(session) ? 'architect' : coding.behaviour,
    isSandboxed: presetOf(session) === 'sandbox',
    date: now().toISOString().slice(0, 10),
    unusableTools: unusableTools(coding),
  });
}

function unusableTools({ tools, offeredTools }: CodingSession): readonly string[] {
  const usable = new Set(tools.map(({ name }) => name));
  return offeredTools.map(({ name }) => name).filter((name) => !usable.has(name));
}
