import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface BuiltAgent {
  readonly file: string;
  remove(): void;
}

/** The agent's own program, built as the package itself is, so that a process runs it without a loader. */
export async function buildAgent(): Promise<BuiltAgent> {
  const root = new URL('..', import.meta.url);
  // Inside node_modules, so that the database driver is found from there, and out of everybody's way.
  const cache = fileURLToPath(new URL('../../node_modules/.cache', root));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'parley-agent-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [
      { in: 'src/parley-agent.program.ts', out: 'parley-agent' },
      { in: '../store/src/sqlite/store-thread.program.ts', out: 'sqlite/store-thread.program' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    external: ['libsql', '@modelcontextprotocol/client'],
    logLevel: 'error',
  });
  return { file: join(folder, 'parley-agent.js'), remove: () => rmSync(folder, { recursive: true }) };
}
