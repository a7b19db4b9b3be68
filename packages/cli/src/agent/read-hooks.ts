import type { Hook, Hooks } from '@parley/coding-agent';
import type { HookConfig, HooksConfig } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';

/** The hooks that hold in a folder: the person's own and those of a project that is trusted. */
export async function readHooks(cwd: string, context: CliContext, otherwise: HooksConfig = {}): Promise<Hooks> {
  // A settings file that cannot be read was told of when the agent started, or stands in another folder than that.
  const hooks = await loadConfig(context, cwd).then(
    ({ config }) => config.hooks ?? {},
    () => otherwise,
  );
  return {
    beforeTool: (hooks.beforeTool ?? []).map(toHook),
    afterTool: (hooks.afterTool ?? []).map(toHook),
  };
}

function toHook({ command, tools, timeout }: HookConfig): Hook {
  return { command, ...(tools && { tools }), ...(timeout !== undefined && { timeoutMs: timeout * 1000 }) };
}
