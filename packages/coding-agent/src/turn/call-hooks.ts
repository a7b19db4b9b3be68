import type { HookInput, Hooks } from '../hooks/hooks.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import { ruleNameOf } from './permission-request.ts';
import type { ShownCall } from './shown-call.ts';
import type { ToolTurn } from './tool-turn.ts';

interface HookContext {
  readonly turn: ToolTurn;
  readonly hooks?: Hooks;
}

/** What the hooks that hear of a call have against it; undefined when there are none, or nothing. */
export async function askHooks(
  { turn, hooks = {} }: HookContext,
  { tool, input, description, shown }: ShownCall,
  facts: Pick<HookInput, 'event' | 'output' | 'isError'>,
): Promise<string | undefined> {
  const name = ruleNameOf(tool, description);
  if (!hooks[facts.event]) return undefined;
  const { runHooks } = await import('../hooks/run-hooks.ts');
  const { id: sessionId, cwd } = turn.session;
  const told = { sessionId, cwd, tool: name, kind: tool.kind, title: description.title, input, ...facts };
  const onProblem = (title: string): void => void turn.session.update({ type: 'notice', severity: 'warning', title });
  return runHooks(hooks, told, { signal: shown.signal, onProblem });
}

/** The outcome, with what a hook has to say about it. */
export async function heedHooks(context: HookContext, call: ShownCall, outcome: ToolOutcome): Promise<ToolOutcome> {
  const { text: output, isError = false } = outcome;
  const words = await askHooks(context, call, { event: 'afterTool', output, isError });
  return words === undefined ? outcome : { ...outcome, text: `${output}\n\n[A hook says: ${words}]` };
}
