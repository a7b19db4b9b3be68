import type { Client } from '@parley/agent';
import type { GuardedFiles } from '@parley/host/files';
import { isLaunchedByParent } from '@parley/host/process';
import { clientCommands } from '../operations/client-commands.ts';
import { workspaceFiles } from '../operations/client-files.ts';
import { localCommands, type OnStart } from '../operations/local-commands.ts';
import { localFiles } from '../operations/local-files.ts';
import type {
  AgentOperations,
  BackgroundCommands,
  CommandOperations,
  Operations,
  OutputOperations,
  SeenFiles,
  SessionOperations,
  TaskOperations,
  WebSearchOperations,
} from '../operations/operations.ts';
import { withOutsideFiles } from '../operations/outside-files.ts';
import { askPerson } from '../operations/person.ts';
import { localSearch } from '../operations/search/local-search.ts';
import { createWeb, type WebOptions } from '../operations/web/web.ts';
import type { SandboxWork } from '../sandbox/sandbox-work.ts';

export interface OperationsOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly files: GuardedFiles;
  readonly roots: readonly string[];
  readonly session: SessionOperations;
  readonly sandbox: Pick<SandboxWork, 'enter' | 'commands'>;
  readonly agents: AgentOperations;
  readonly tasks: TaskOperations;
  readonly webSearch: WebSearchOperations;
  readonly seen: SeenFiles;
  readonly outputs: OutputOperations;
  readonly background: BackgroundCommands;
  readonly web?: WebOptions;
  /** Told of commands that run on this machine, so that they end with the session. */
  readonly onStart: OnStart;
}

/** What tools touch the world with: the client's files and terminals where it offers them, else our own, guarded. */
export function createOperations(options: OperationsOptions): Operations {
  const { client, signal, files, roots, session, sandbox, agents, tasks, seen, outputs, background, web, onStart } =
    options;
  const { offers } = client;
  const commands = localCommands(onStart);
  // A client's terminals may be on another machine; those of our own command, where it started us, are on this one.
  const runsHere = !offers.terminals || (client.info?.name === 'parley' && isLaunchedByParent());
  return {
    // Tools ask about every path before they run.
    files: withOutsideFiles(workspaceFiles(client, files), roots),
    search: localSearch(withOutsideFiles(localFiles(files), roots)),
    commands: offers.terminals ? inFront(clientCommands(client), commands) : commands,
    web: createWeb(web),
    session,
    agents,
    tasks,
    webSearch: options.webSearch,
    seen,
    outputs,
    background,
    sandbox: {
      enter: () => sandbox.enter(onStart),
      commands: async (kind) => (runsHere ? sandbox.commands(kind, onStart) : IN_CLIENT),
    },
    person: {
      hasForms: offers.elicitForm,
      ask: (question, choices) => askPerson({ client, question, choices, signal }),
    },
  };
}

const IN_CLIENT = { isThere: false, because: "Commands run in the client's terminals." } as const;

/** A client's terminals end with their turn, so what goes on in the background runs here. */
function inFront(foreground: CommandOperations, background: CommandOperations): CommandOperations {
  return { start: (options) => (options.isBackground ? background : foreground).start(options) };
}
