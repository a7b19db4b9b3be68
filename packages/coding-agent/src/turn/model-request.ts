import type { Turn } from '@parley/agent';
import type { ModelRequest, ThinkingLevel } from '@parley/models/model';
import { commandShell } from '../operations/shell.ts';
import { describeSituation } from '../prompt/situation.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { CodingSession } from '../session/coding-session.ts';
import { isPlanning, presetOf } from '../session/session-options.ts';
import { TASK_PROMPTS } from '../tasks/task-kinds.ts';
import type { TaskKind } from '../tools/operations.ts';
import type { Tool } from '../tools/tool.ts';

interface TaskRequestContext extends RequestContext {
  readonly kind: TaskKind;
  readonly tools: readonly Tool[];
  readonly callId: string | undefined;
}

interface RequestContext {
  readonly turn: Turn;
  readonly coding: CodingSession;
}

/** What every request of a sub-agent says besides its history. */
export function taskRequestFor({
  turn,
  coding,
  kind,
  tools,
  callId,
}: TaskRequestContext): Omit<ModelRequest, 'messages'> {
  const { cwd, roots, options, id } = turn.session;
  const { thinking } = options;
  const { initialMessage, appendedPrompt } = coding.settings;
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
      settings: {
        systemPrompt: TASK_PROMPTS[kind],
        ...(initialMessage !== undefined && { initialMessage }),
        ...(appendedPrompt !== undefined && { appendedPrompt }),
      },
    }),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    cacheKey: `${id}:${callId ?? kind}`,
    ...(typeof thinking === 'string' && thinking !== 'default' && { thinking: thinking as ThinkingLevel }),
  };
}

/** What holds now for a sub-agent: it has only tools that it can use, and nobody to put a plan to. */
export function taskSituationFor({ turn, coding, now }: RequestContext & { readonly now: () => Date }): string {
  return describeSituation({
    mode: coding.behaviour === 'ask' ? 'ask' : 'code',
    isSandboxed: presetOf(turn.session) === 'sandbox',
    date: now().toISOString().slice(0, 10),
    unusableTools: [],
  });
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
