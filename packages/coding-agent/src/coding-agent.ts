import { type Agent, type AgentDiagnostic, type AgentOptions, agent } from '@parley/agent';
import type { PermissionMode, RememberedStore, Rule } from '@parley/policy';
import type { McpServer } from '@parley/protocol';
import { ModelShelf } from './models/discovery/available-models.ts';
import type { DiscoverOptions } from './models/discovery/discover.ts';
import type { Environment } from './models/discovery/environment-models.ts';
import type { WebOptions } from './operations/web/web.ts';
import { lookAtDirectory } from './session/check-directory.ts';
import type { Workings } from './session/session-manager.ts';
import { createOptions, SESSION_MODES } from './session/session-options.ts';
import { VERSION } from './version.ts';

export interface CodingAgentOptions {
  /** Where sessions live, or what opens it when the first session needs it. Default: in memory. */
  readonly store?: AgentOptions['store'];
  /** Where keys and addresses of models are looked for. Default: this process's environment. */
  readonly env?: Environment;
  /** How models are found; tests and embedders bring their own. */
  readonly discover?: Omit<DiscoverOptions, 'env'>;
  readonly permissions?: {
    /** What runs without asking in new sessions. Default: `default`, which asks. */
    readonly mode?: PermissionMode;
    /** Rules besides the built-in ones that let it look around: `Bash(npm test)`, `deny Read(.env)`. */
    readonly rules?: readonly (Rule | string)[];
    /** Where answers with "always" are kept. Default: in memory, for the session. */
    readonly remembered?: RememberedStore;
  };
  /** The model that new sessions begin with, where it is within reach. Default: the best that is. */
  readonly model?: string;
  /** Told to the model at the beginning of every new session, after everything else. */
  readonly initialMessage?: string;
  /** MCP servers of every session in a folder, besides those that the client names; the client's win where names clash. */
  readonly mcpServers?: (cwd: string) => readonly McpServer[] | Promise<readonly McpServer[]>;
  /** How many requests one turn may make to the model. Default: 100. */
  readonly maxRequests?: number;
  readonly web?: WebOptions;
  /** What `~` stands for in rules. Default: the person's home directory. */
  readonly home?: string;
  /** Hears of everything that went wrong. Default: failures go to stderr. */
  readonly onDiagnostic?: (diagnostic: AgentDiagnostic) => void;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Parley's own coding agent, ready to serve: on the models that are within reach, and on none. */
export function createCodingAgent(options: CodingAgentOptions = {}): Agent {
  const shelf = new ModelShelf(options.env ?? process.env, options.discover, options.model);
  // Tools, MCP, prompts and the loop take longer to load than all the rest, and `initialize` needs none of them.
  let workings: Workings | undefined;
  const load = async (): Promise<Workings> => {
    const loaded = await import('./session/session-manager.ts');
    workings ??= new loaded.Workings(options, shelf);
    return workings;
  };

  const built = agent({
    name: 'parley',
    title: 'Parley',
    version: VERSION,
    ...(options.store && { store: options.store }),
    ...(options.onDiagnostic && { onDiagnostic: options.onDiagnostic }),
    additionalDirectories: true,
    unstable: true,
    systemPrompt: 'override',
    checkDirectory: lookAtDirectory,
    permissions: (session) => workings?.permissionsFor(session) ?? {},
  })
    .accepts('image', 'audio', 'resource')
    .acceptsMcp('http', 'sse');
  for (const mode of SESSION_MODES) built.mode(mode);
  built.option(shelf.option);
  for (const option of createOptions(options.permissions?.mode)) built.option(option);

  return built
    .onSession(async (context) => (await load()).open(context))
    .onPrompt(async (turn) => (await load()).prompt(turn));
}
