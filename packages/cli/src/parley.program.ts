#!/usr/bin/env node
// The command `parley`.
import { fileURLToPath } from 'node:url';
import { processContext } from './context.ts';
import { leave } from './leave.ts';

const context = processContext(fileURLToPath(import.meta.url));
const argv = process.argv.slice(2);

if (argv[0] === 'agent' && argv.every((word) => word === 'agent' || word === '--no-store')) {
  // Editors start the agent all the time: it does not wait for the command line parser.
  const { serveAgent } = await import('./agent/serve-agent.ts');
  leave(await serveAgent({ isStored: !argv.includes('--no-store'), deniesAll: false }, context), context);
} else {
  const { runMain } = await import('./main.ts');
  leave(await runMain(argv, context), context);
}
