import type { Operations } from '../operations/operations.ts';
import { chooseSandbox } from '../sandbox/choose-sandbox.ts';
import { effectiveModeOf, NO_SANDBOX, SANDBOX_OPTION, sandboxOf } from '../session/session-options.ts';
import { needsPermission, toRequest } from './permission-request.ts';
import type { ShownCall } from './shown-call.ts';
import type { ToolTurn } from './tool-turn.ts';

export interface PermitContext {
  readonly turn: ToolTurn;
  readonly operations: Operations;
}

export type PermittedCall =
  | {
      readonly isAllowed: true;
      /** Those of the turn, with its commands in the sandbox where they belong there. */
      readonly operations: Operations;
    }
  | { readonly isAllowed: false; readonly because: string };

/** Asks whether a call may run, and chooses whether its command runs in the sandbox. */
export async function permitCall({ turn, operations }: PermitContext, call: ShownCall): Promise<PermittedCall> {
  const { tool, args, description, shown } = call;
  if (!needsPermission(tool)) return { isAllowed: true, operations };
  const request = toRequest(tool, description);
  const permission = await turn.askPermission(shown, { request });
  if (!permission.allowed) return { isAllowed: false, because: permission.because };
  const { session } = turn;
  // Tools of the preset `sandbox` have one of their own.
  const sandbox =
    tool.name === 'run_command'
      ? chooseSandbox({ setting: sandboxOf(session), mode: effectiveModeOf(session), permission })
      : undefined;
  const sandboxed = sandbox && (await operations.sandbox.commands(sandbox));
  if (!sandboxed) return { isAllowed: true, operations };
  if (!sandboxed.isThere) {
    if (session.options[SANDBOX_OPTION] !== NO_SANDBOX) session.setOption(SANDBOX_OPTION, NO_SANDBOX);
    return { isAllowed: true, operations };
  }
  const { isOutside = false } = args as { readonly isOutside?: boolean };
  if (!isOutside) return { isAllowed: true, operations: { ...operations, commands: sandboxed.commands } };
  const { title, text } = description;
  const about = { title, ...(text !== undefined && { description: text }) };
  const { allowed, because } = permission.asked
    ? permission
    : await turn.askPermission(shown, { request, alwaysAsks: true, ...about });
  return allowed ? { isAllowed: true, operations } : { isAllowed: false, because };
}
