// Our coding agent: `parley agent`.
import { leave } from '@parley/host/command-line';
import { serveAgent } from './agent/serve-agent.ts';
import { processContext } from './context.ts';

export { serveAgent };

/** `parley agent` without settings on the command line: serves until stdin ends, then ends the process. */
export async function run(argv: readonly string[], programPath: string): Promise<void> {
  const context = processContext(programPath);
  const permissionMode = argv.includes('--permission-mode') ? { permissionMode: 'default' } : {};
  void leave(await serveAgent({ store: !argv.includes('--no-store'), ...permissionMode }, context), context);
}
