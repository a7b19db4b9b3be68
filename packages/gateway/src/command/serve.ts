import type { ServeContext, ServerFlags } from './serve-context.ts';
import type { ServedAgents } from './served-agents.ts';
import type { ServerSettings } from './server-settings.ts';

/** `parley serve`: hosts agents until a signal ends it, or checks whether it could; resolves to the exit code. */
export async function serve<Settings extends ServerSettings, Agents extends ServedAgents>(
  flags: ServerFlags,
  context: ServeContext<Settings, Agents>,
): Promise<number> {
  if (flags.check) {
    const { checkServer } = await import('./check-server.ts');
    return checkServer(flags, context);
  }
  const { runServer } = await import('./run-server.ts');
  return runServer(flags, context);
}
