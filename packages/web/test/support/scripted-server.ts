import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentScript, buildScriptedAgent } from '@parley/testing/scripted-agent';
import { openServer, type ServedPage } from './open-server.ts';

/** `parley serve` with agents that do what their scripts say, each under its name, and others like `name=command`. */
export async function openScriptedServer(
  scripts: Readonly<Record<string, AgentScript>>,
  others: readonly string[] = [],
): Promise<ServedPage> {
  const agent = await buildScriptedAgent();
  const folder = mkdtempSync(join(tmpdir(), 'parley-web-scripts-'));
  const args = Object.entries(scripts).map(([name, script]) => {
    const { args: words } = agent.command(script);
    const [program = '', json = '{}'] = words;
    // A script is too long, and has too many quotes, for the words of a command.
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `process.argv[2] = ${JSON.stringify(json)};\nawait import(${JSON.stringify(program)});\n`);
    return `${name}=${process.execPath} ${path}`;
  });
  const server = await openServer({ args: [...args, ...others] });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await agent.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
