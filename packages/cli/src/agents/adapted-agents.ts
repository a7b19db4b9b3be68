import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProgram } from '@parley/host/programs';
import type { CliContext } from '../context.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

/** How the names of ready descriptions end; no agent that speaks ACP itself is named so. */
const READY_NAME = /^[\w-]+-cli$/;

/** The agent that a description makes of a command line, named by its file or, where it comes with Parley, by its name. */
export async function findAdaptedAgent(wanted: string, context: CliContext): Promise<ResolvedAgent | undefined> {
  const file = resolve(context.cwd, wanted);
  if (wanted.endsWith('.json') && existsSync(file)) return adaptedAgent(wanted, { word: file, title: wanted }, context);
  if (!READY_NAME.test(wanted)) return undefined;
  const { findReadyDescription } = await import('@parley/adapters/ready');
  const ready = await findReadyDescription(wanted);
  const { title = wanted } = ready?.description ?? {};
  return ready && adaptedAgent(ready.name, { word: ready.name, title }, context);
}

/** Command lines that are on the PATH and have a ready description. */
export async function listAdaptedAgents(
  context: CliContext,
): Promise<readonly { readonly name: string; readonly title: string; readonly command: string }[]> {
  const { listReadyDescriptions } = await import('@parley/adapters/ready');
  return (await listReadyDescriptions()).flatMap(({ name, description: { title = name, command } }) =>
    findProgram(command[0] ?? '', context) === undefined ? [] : [{ name, title, command: `parley adapt ${name}` }],
  );
}

/** Its own program with other arguments, as our own agent is. */
function adaptedAgent(
  name: string,
  { word, title }: { readonly word: string; readonly title: string },
  { self }: Pick<CliContext, 'self'>,
): ResolvedAgent {
  const args = [...self.args, 'adapt', word];
  return { name, title, origin: 'adapter', address: { kind: 'command', command: self.command, args } };
}
