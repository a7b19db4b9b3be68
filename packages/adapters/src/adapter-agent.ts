import { stat } from 'node:fs/promises';
import { type Agent, agent } from '@parley/agent';
import type { Description } from './description/description.ts';
import type { AdapterOptions } from './runtime/adapter-options.ts';
import { CommandSession } from './runtime/command-session.ts';
import { VERSION } from './version.ts';

/** An ACP agent whose turns a command line carries out, as its description says. */
export function adapterAgent(description: Description, options: AdapterOptions = {}): Agent {
  const { store, env = process.env, log = {}, onDiagnostic } = options;
  const { name, title, images, mcp, directoryFlag } = description;
  const sessions = new Map<string, CommandSession>();
  const adapter = agent({
    name,
    version: VERSION,
    ...(title !== undefined && { title }),
    ...(store && { store }),
    ...(onDiagnostic && { onDiagnostic }),
    ...(directoryFlag !== undefined && { additionalDirectories: true }),
    ...(images && { imageMimeTypes: images.mimeTypes ?? DEFAULT_IMAGE_TYPES }),
    unstable: true,
    checkDirectory,
  })
    .accepts('resource')
    .onSession(({ session }) => {
      const running = new CommandSession({ description, session, env, log });
      sessions.set(session.id, running);
      return () => {
        if (sessions.get(session.id) === running) sessions.delete(session.id);
        return running.close();
      };
    })
    .onPrompt(async (turn) => {
      const running = sessions.get(turn.session.id);
      if (!running) throw new Error(`Session ${turn.session.id} was closed.`);
      return running.runTurn(turn);
    });
  if (images) adapter.accepts('image');
  if (mcp) adapter.acceptsMcp('http', 'sse');
  addSettings(adapter, description);
  addLogin(adapter, description, options);
  return adapter;
}

const DEFAULT_IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function addSettings(adapter: Agent, { modes = [], models }: Description): void {
  for (const { id, name = id, description } of modes)
    adapter.mode({ id, name, ...(description !== undefined && { description }) });
  if (!models) return;
  adapter.option({
    id: 'model',
    name: 'Model',
    category: 'model',
    values: models.values.map((each) => (typeof each === 'string' ? each : { ...each, name: each.name ?? each.value })),
    ...(models.default !== undefined && { default: models.default }),
  });
}

function addLogin(adapter: Agent, { login }: Description, { loginArgs }: AdapterOptions): void {
  if (!login?.command || !loginArgs) return;
  adapter.auth({ id: 'login', name: 'Log in', description: login.hint, terminal: { args: [...loginArgs] } });
}

async function checkDirectory(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : 'it is not a directory';
  } catch {
    return 'there is no such directory';
  }
}
