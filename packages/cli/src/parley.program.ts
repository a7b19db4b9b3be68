#!/usr/bin/env node
// The command `parley`. Each program behind it is a bundle of its own that loads what it needs and no more. No static
// imports: a failing import then gets an error message, too. The build makes a CommonJS file of it (`scripts/join-chunks.mjs`),
// which has no top-level await.
const argv = process.argv.slice(2);

void start();

async function start(): Promise<void> {
  process.once('exit', failUnfinished);
  try {
    const { run } = await loadProgram();
    await run(argv, import.meta.filename);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Since Node 24 a package.json that cannot be opened has another code, and the reason is only in its message.
    const isAboutPackage = code === 'ERR_INVALID_PACKAGE_CONFIG' && /too many open files/.test(message);
    const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE' || isAboutPackage;
    const words = isOutOfFiles ? 'Too many files are open; allow more with: ulimit -n 1024' : message;
    process.stderr.write(`parley: ${words}\n`, () => process.exit(1));
  }
  process.off('exit', failUnfinished);
}

/** Nothing is left to wait for, and the command has not come to its end: Node's own code for a module that waits so. */
function failUnfinished(): void {
  process.exitCode ??= 13;
}

function loadProgram(): Promise<{ run(argv: readonly string[], programPath: string): Promise<void> }> {
  // Editors start the agent all the time, and so do we: it does not wait for the command line parser.
  if (/^agent( --no-store| --permission-mode default)*$/.test(argv.join(' '))) return import('./agent.program.ts');
  return argv[0] === 'exec' ? import('./exec.program.ts') : import('./command.program.ts');
}
