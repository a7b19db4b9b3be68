import { homedir } from 'node:os';
import type { ServeContext } from '@parley/gateway/command';
import { formatLink } from '../agents/link.ts';
import type { CliContext } from '../context.ts';
import { createPrinter } from '../doctor/print-finding.ts';
import { chooseHosted, type HostedNames } from './hosted-agents.ts';
import { openServerStore } from './open-store.ts';
import type { ServeFlags } from './serve-flags.ts';
import { readServeSettings, type ServeSettings } from './serve-settings.ts';

/** Our agents, our settings and the page for `parley serve`. */
export function serveContext(
  words: readonly string[],
  flags: ServeFlags,
  context: CliContext,
): ServeContext<ServeSettings, HostedNames> {
  return {
    ...context,
    readSettings: () => readServeSettings(flags, context),
    chooseAgents: (settings, onProblem) => chooseHosted(words, flags, settings, context, onProblem),
    openStore: ({ storePath }) => openServerStore(storePath),
    async createGateway(parts) {
      const { createGateway } = await import('./create-gateway.ts');
      return createGateway(parts, flags, context);
    },
    /** The page is for those who want it; what serves it is loaded only then. */
    async pageRoutes(server) {
      const { webRoutes } = await import('@parley/web');
      return webRoutes({ gateway: server, cwd: context.cwd, roots: [context.cwd, homedir()] });
    },
    formatLink,
    printFinding: createPrinter(flags, context),
  };
}
