import type { Field, Shape } from '@parley/host/json-files';
import { parseAllowedHost } from '@parley/policy/hosts';
import { permissionModeIds } from '@parley/policy/modes';
import { PROVIDER } from './provider-keys.ts';
import { SERVE } from './serve-keys.ts';

/** One setting at the top of a settings file. */
export interface ConfigKey extends Field {
  readonly default?: unknown;
  /**
   * Whether a project's own file may set it without the person's trust. A repository that one has just cloned must not
   * choose what runs, what is allowed, what it costs, or what the person gets to see.
   */
  readonly isHarmless: boolean;
}

const STRING: Shape = { type: 'string' };
const text = (says: string): Field => ({ shape: STRING, says });
const STRINGS: Shape = { type: 'list', items: STRING };
const TEXTS: Shape = { type: 'map', values: STRING };
/** Variables and headers are written in either way. */
const PAIRS: Shape = {
  type: 'either',
  shapes: [
    TEXTS,
    { type: 'list', items: { type: 'object', fields: { name: text('its name'), value: text('its value') } } },
  ],
};
const PROTOCOL: Shape = { type: 'choice', values: [1, 2, 'auto'] };
const SECONDS: Shape = { type: 'number' };
const RULES = (says: string): Field => ({ shape: STRINGS, says });

const AS_TOOL: Shape = {
  type: 'object',
  fields: {
    description: { shape: STRING, says: 'what it is good for; the model reads it' },
    mode: { shape: STRING, says: 'the mode of its sessions, where it has that' },
    model: { shape: STRING, says: 'the model of its sessions, where it has that' },
    maxToolCalls: { shape: { type: 'number' }, says: 'tools that it may call in one go; 200' },
    maxSeconds: { shape: SECONDS, says: 'how long it may take, questions left out; 1800' },
  },
};

const ALLOWED_HOST: Shape = {
  type: 'notation',
  check(text) {
    const host = parseAllowedHost(text);
    return typeof host === 'string' ? host : undefined;
  },
};

const AGENT_SANDBOX: Shape = {
  type: 'object',
  fields: {
    network: {
      shape: {
        type: 'either',
        shapes: [
          { type: 'choice', values: ['on', 'off'] },
          { type: 'list', items: ALLOWED_HOST },
        ],
      },
      says: "whether it has a network, or the hosts that it may reach, such as ['api.example.com', '*.example.com', 'localhost:8080']; on",
    },
    writable: { shape: STRINGS, says: "folders that it may change besides the workspace, such as '~/.gemini'" },
  },
};

const AGENT: Shape = {
  type: 'object',
  fields: {
    command: { shape: STRING, says: 'the program' },
    args: { shape: STRINGS, says: 'its arguments' },
    argv: { shape: STRINGS, says: 'program and arguments in one list, as acpx has it' },
    env: { shape: PAIRS, says: 'variables added to its environment, as a map or a list of names and values' },
    cwd: { shape: STRING, says: 'where it is started' },
    prefix: { shape: STRINGS, says: "words in front of its command, such as ['firejail', '--quiet']" },
    sandbox: {
      shape: { type: 'either', shapes: [AGENT_SANDBOX, { type: 'boolean' }] },
      says: 'whether its process runs in a sandbox where only the workspace and its own settings can be changed; false',
    },
    url: { shape: STRING, says: 'the address of an agent on the network: wss://host/acp, https://host/acp, host:port' },
    headers: { shape: PAIRS, says: 'headers for that address, as a map or a list, with variables as in .mcp.json' },
    token: { shape: STRING, says: 'the bearer token for that address, with variables as in .mcp.json' },
    tokenFile: { shape: STRING, says: 'a file that has the token; read anew for every connection' },
    tokenEnv: { shape: STRING, says: 'the environment variable that has the token' },
    ca: { shape: STRING, says: 'a file with the certificates (PEM) of authorities to trust there' },
    title: { shape: STRING, says: 'its name for people' },
    dialect: { shape: STRING, says: 'how it words ACP' },
    protocol: { shape: PROTOCOL, says: 'the version of ACP to speak with it' },
    type: {
      shape: STRING,
      says: 'stdio, http, sse, post or websocket; anything else is ignored, as other clients write it',
    },
    transport: { shape: STRING, says: 'the same' },
    asTool: {
      shape: { type: 'either', shapes: [AS_TOOL, { type: 'boolean' }] },
      says: 'whether our own coding agent may call it as a tool, and how far it may go then; false',
    },
  },
};

const DEADLINES: Shape = {
  type: 'object',
  fields: {
    spawn: { shape: SECONDS, says: 'to start the agent; 60' },
    initialize: { shape: SECONDS, says: 'to answer initialize; 60' },
    authenticate: { shape: SECONDS, says: 'to log in; 300' },
    session: { shape: SECONDS, says: 'to open a session; 60, loading 120' },
  },
};

const HOOKS: Shape = {
  type: 'list',
  items: {
    type: 'object',
    fields: {
      command: { shape: STRING, says: 'a command line; it gets the call as JSON on its standard input' },
      tools: { shape: STRINGS, says: 'the tools that it hears of, such as edit_file or mcp__github__*; all' },
      timeout: { shape: SECONDS, says: 'how long it may take; 60' },
    },
  },
};

/** Every setting, in the order in which `parley config get` prints them. */
export const CONFIG_KEYS: Readonly<Record<string, ConfigKey>> = {
  defaultAgent: {
    shape: STRING,
    says: 'the agent to talk to when none is named',
    default: 'parley',
    isHarmless: false,
  },
  agents: { shape: { type: 'map', values: AGENT }, says: 'agents by name', isHarmless: false },
  serve: { shape: SERVE, says: 'what `parley serve` hosts, where, and for whom', isHarmless: false },
  permissions: {
    shape: {
      type: 'object',
      fields: {
        mode: { shape: { type: 'choice', values: permissionModeIds() }, says: 'what is allowed without asking' },
        allow: RULES("rules that allow, such as 'Bash(git *)'"),
        ask: RULES('rules that always ask'),
        deny: RULES("rules that never allow, such as 'Read(.env)'"),
        remember: {
          shape: { type: 'choice', values: ['session', 'project', 'user'] },
          says: 'how far an answer "always" reaches',
        },
      },
    },
    says: 'what agents may do',
    isHarmless: false,
  },
  sandbox: {
    shape: { type: 'choice', values: ['unasked', 'always', 'off'] },
    says: 'which commands our own coding agent runs in a sandbox: those that nobody was asked about, all, or none',
    default: 'unasked',
    isHarmless: false,
  },
  nonInteractivePermissions: {
    shape: { type: 'choice', values: ['deny', 'fail'] },
    says: 'what a question becomes when nobody can be asked',
    default: 'deny',
    isHarmless: false,
  },
  format: {
    shape: { type: 'choice', values: ['text', 'json', 'quiet'] },
    says: 'how exec and prompt print',
    default: 'text',
    isHarmless: false,
  },
  timeout: { shape: SECONDS, says: 'seconds after which exec and prompt give up', isHarmless: true },
  deadlines: { shape: DEADLINES, says: 'seconds that each phase may take', isHarmless: true },
  mcpServers: {
    shape: {
      type: 'either',
      shapes: [
        { type: 'list', items: { type: 'any' } },
        { type: 'map', values: { type: 'any' } },
      ],
    },
    says: 'MCP servers for the agent, as a list or as in .mcp.json',
    isHarmless: false,
  },
  model: { shape: STRING, says: "one of the agent's models, or a part of its name", isHarmless: false },
  providers: {
    shape: { type: 'map', values: PROVIDER },
    says: 'providers and servers of models for our own coding agent, by name; `parley models` lists what they have',
    isHarmless: false,
  },
  maxRequests: {
    shape: { type: 'number' },
    says: 'requests that our own coding agent may make to its model in one turn',
    default: 100,
    isHarmless: false,
  },
  tasks: {
    shape: {
      type: 'either',
      shapes: [
        { type: 'boolean' },
        {
          type: 'object',
          fields: {
            maxRequests: { shape: { type: 'number' }, says: 'requests that one may make to its model; 50' },
            maxParallel: { shape: { type: 'number' }, says: 'how many work at the same time; 4' },
            model: { shape: STRING, says: "their model, or a part of its name; the session's" },
          },
        },
      ],
    },
    says: 'sub-agents of our own coding agent: how far they may go and with which model, or false for none',
    isHarmless: false,
  },
  webSearch: {
    shape: { type: 'boolean' },
    says: "whether our own coding agent may search the web by way of its model's provider, which costs",
    default: false,
    isHarmless: false,
  },
  hooks: {
    shape: {
      type: 'object',
      fields: {
        beforeTool: { shape: HOOKS, says: 'run before a tool; exit code 2 blocks the call with what they print' },
        afterTool: { shape: HOOKS, says: 'run after a tool; with exit code 2 the model reads what they print' },
      },
    },
    says: 'programs that hear of the tool calls of our own coding agent',
    isHarmless: false,
  },
  mode: { shape: STRING, says: "one of the agent's modes", isHarmless: false },
  auth: { shape: TEXTS, says: 'how to log in, by agent name or *', isHarmless: false },
  authPolicy: {
    shape: { type: 'choice', values: ['skip', 'fail'] },
    says: 'whether to go on when an agent offers logins and none is chosen',
    default: 'skip',
    isHarmless: true,
  },
  dialect: {
    shape: STRING,
    says: 'how agents word ACP: auto finds out, none, or a named dialect',
    default: 'auto',
    isHarmless: false,
  },
  protocol: {
    shape: PROTOCOL,
    says: 'the version of ACP to speak; auto takes the best that the agent speaks',
    default: 'auto',
    isHarmless: true,
  },
  exitCodes: {
    shape: { type: 'choice', values: ['distinct', 'acpx'] },
    says: 'which exit codes to use',
    default: 'distinct',
    isHarmless: false,
  },
  fs: { shape: { type: 'boolean' }, says: 'serve files to the agent', default: true, isHarmless: false },
  terminal: { shape: { type: 'boolean' }, says: 'run commands for the agent', default: true, isHarmless: false },
  plain: { shape: { type: 'boolean' }, says: 'line by line, for screen readers', default: false, isHarmless: true },
  notify: {
    shape: { type: 'choice', values: ['off', 'bell', 'osc'] },
    says: 'how the chat calls you when its window is not in front: osc is a message where the terminal shows one',
    default: 'bell',
    isHarmless: true,
  },
  theme: {
    shape: { type: 'choice', values: ['auto', 'light', 'dark'] },
    says: 'the background of the terminal, for the colours of the chat; auto asks it',
    default: 'auto',
    isHarmless: true,
  },
  keys: {
    shape: { type: 'choice', values: ['readline', 'vim'] },
    says: 'the keys that edit a prompt in the chat',
    default: 'readline',
    isHarmless: true,
  },
};
