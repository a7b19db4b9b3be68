import type { ClientPeer, Turn } from '@parley/agent';
import type { GuardedFiles } from '@parley/client/node';
import type { Operations, SessionOperations } from '../tools/operations.ts';
import { clientCommands } from './client-commands.ts';
import { clientFiles } from './client-files.ts';
import { localCommands } from './local-commands.ts';
import { localFiles } from './local-files.ts';
import { askPerson } from './person.ts';
import { createWeb, type WebOptions } from './web.ts';

export interface OperationsOptions {
  readonly client: ClientPeer;
  readonly turn: Pick<Turn, 'signal'>;
  readonly files: GuardedFiles;
  readonly session: SessionOperations;
  readonly web?: WebOptions;
  /** Told of commands that are left running, so that they end with the session. */
  readonly onBackground: (stop: () => Promise<void>) => void;
}

/** What tools touch the world with: the client's files and terminals where it offers them, else our own, guarded. */
export function createOperations({ client, turn, files, session, web, onBackground }: OperationsOptions): Operations {
  const { offers } = client;
  const local = localFiles(files);
  return {
    files: offers.readTextFile || offers.writeTextFile ? clientFiles(client, local) : local,
    commands: offers.terminals ? clientCommands(client, onBackground) : localCommands(onBackground),
    web: createWeb(web),
    session,
    person: { ask: (question, choices) => askPerson({ client, question, choices, signal: turn.signal }) },
  };
}
