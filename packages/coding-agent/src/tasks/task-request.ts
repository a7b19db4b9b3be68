import type { ModelRequest, ThinkingLevel } from '@parley/models/model';
import type { TaskKind } from '../operations/operations.ts';
import { commandShell } from '../operations/shell.ts';
import { describeSituation } from '../prompt/situation.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import { presetOf } from '../session/session-options.ts';
import type { Tool } from '../tools/tool.ts';
import type { RequestContext } from '../turn/model-request.ts';
import { TASK_PROMPTS } from './task-kinds.ts';

interface TaskRequestContext extends RequestContext {
  readonly kind: TaskKind;
  readonly tools: readonly Tool[];
  readonly callId: string | undefined;
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
