#!/usr/bin/env node
// The command `parley`.
import { fileURLToPath } from 'node:url';
import { processContext } from './context.ts';
import { leave } from './leave.ts';

const context = processContext(fileURLToPath(import.meta.url));
const argv = process.argv.slice(2);

if (/^agent( --no-store| --permission-mode default)*$/.test(argv.join(' '))) {
  // Editors start the agent all the time, and so do we: it does not wait for the command line parser.
  const { serveAgent } = await import('./agent/serve-agent.ts');
  const permissionMode = argv.includes('--permission-mode') ? { permissionMode: 'default' } : {};
  leave(await serveAgent({ store: !argv.includes('--no-store'), ...permissionMode }, context), context);
} else {
  const { runMain } = await import('./main.ts');
  leave(await runMain(argv, context), context);
}
