import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How the scripted agent is started: from the build, or from the sources by whatever runs them now. */
export function locateScriptedAgent(): readonly string[] {
  const here = fileURLToPath(import.meta.url);
  const root = packageRoot(dirname(here));
  if (here.endsWith('.ts')) {
    return [process.execPath, ...process.execArgv, join(root, 'src', 'client', 'run', 'scripted-agent.program.ts')];
  }
  return [process.execPath, join(root, 'dist', 'client', 'run', 'scripted-agent.program.js')];
}

/** A bundler may have put this code anywhere in the package. */
function packageRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? folder : packageRoot(parent);
}
