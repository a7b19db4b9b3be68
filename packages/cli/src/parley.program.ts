#!/usr/bin/env node
// The command `parley`. Nothing is imported ahead, so that also a failing import is told in words.
import { fileURLToPath } from 'node:url';
import type { CliContext } from './context.ts';

const argv = process.argv.slice(2);

try {
  const [{ processContext }, { leave }, run] = await Promise.all([
    import('./context.ts'),
    import('./leave.ts'),
    loadCommand(),
  ]);
  const context = processContext(fileURLToPath(import.meta.url));
  void leave(await run(context), context);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE';
  const words = isOutOfFiles ? 'Too many files are open; allow more with: ulimit -n 1024' : message;
  process.stderr.write(`parley: ${words}\n`, () => process.exit(1));
}

async function loadCommand(): Promise<(context: CliContext) => Promise<number>> {
  if (/^agent( --no-store| --permission-mode default)*$/.test(argv.join(' '))) {
    // Editors start the agent all the time, and so do we: it does not wait for the command line parser.
    const { serveAgent } = await import('./agent/serve-agent.ts');
    const permissionMode = argv.includes('--permission-mode') ? { permissionMode: 'default' } : {};
    return (context) => serveAgent({ store: !argv.includes('--no-store'), ...permissionMode }, context);
  }
  const { runMain } = await import('./main.ts');
  return (context) => runMain(argv, context);
}
