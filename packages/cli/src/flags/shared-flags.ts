import { collect } from '@parley/host/command-line';
import { permissionModeIds } from '@parley/policy/modes';
import { type Command, Option } from 'commander';

/** What the flags that all commands share came to. Undefined where the person said nothing. */
export interface SharedFlags {
  readonly agent?: string;
  readonly cwd?: string;
  readonly header?: readonly string[];
  readonly tokenFile?: string;
  readonly ca?: string;
  readonly addDir?: readonly string[];
  readonly model?: string;
  readonly mode?: string;
  readonly mcpConfig?: string;
  readonly mcpServer?: readonly string[];
  readonly dialect?: string;
  readonly protocol?: string;
  readonly auth?: string;
  /** False with `--no-fs`. */
  readonly fs?: boolean;
  readonly terminal?: boolean;
  /** The agent's process runs in a sandbox. */
  readonly sandbox?: boolean;
  readonly approveAll?: boolean;
  readonly approveReads?: boolean;
  readonly denyAll?: boolean;
  readonly permissionMode?: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly policy?: string;
  readonly nonInteractivePermissions?: string;
  readonly format?: string;
  readonly jsonStrict?: boolean;
  readonly suppressReads?: boolean;
  readonly timeout?: string;
  readonly trace?: string;
  readonly verbose?: boolean;
  readonly plain?: boolean;
  readonly color?: boolean;
  readonly exitCodes?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly allowedTools?: string;
  readonly maxTurns?: string;
  readonly promptRetries?: string;
  readonly authPolicy?: string;
  readonly ttl?: string;
}

/** Adds the flags that may stand before or after any command. The names are acpx's where acpx has them. */
export function addSharedFlags(program: Command): void {
  for (const [group, flags] of Object.entries(FLAGS)) {
    for (const option of flags()) program.addOption(option.helpGroup(group));
  }
}

/** These are wishes: nothing in ACP tells whether an agent heeds them. */
const IN_META = '(claude and parley; others may ignore it)';

const FLAGS: Readonly<Record<string, () => Option[]>> = {
  'Agent:': () => [
    new Option('--agent <name>', 'an agent by name, any command line, or an address such as wss://host/acp'),
    new Option(
      '--header <field>',
      "for an agent on the network: 'Name: value', variables filled in (repeat)",
    ).argParser(collect),
    new Option('--token-file <file>', 'for an agent on the network: a file that has its token (also: PARLEY_TOKEN)'),
    new Option('--ca <file>', 'for an agent on the network: certificates (PEM) of authorities to trust'),
    new Option('--cwd <dir>', 'the folder to work in'),
    new Option('--add-dir <dir>', 'a further folder that belongs to the workspace (repeat)').argParser(collect),
    new Option('--model <id>', "one of the agent's models"),
    new Option('--mode <id>', "one of the agent's modes"),
    new Option('--mcp-config <file>', 'MCP servers for the agent, as in .mcp.json'),
    new Option('--mcp-server <json>', 'one more of them: \'{"name": "...", "command": "..."}\' (repeat)').argParser(
      collect,
    ),
    new Option('--dialect <name>', 'how the agent words ACP: auto finds out (the default), none, or a named dialect'),
    new Option('--protocol <1|2|auto>', 'the version of ACP to speak; auto takes the best that the agent speaks'),
    new Option('--auth <method>', 'how to log in, when the agent asks for it'),
    new Option(
      '--auth-policy <skip|fail>',
      'with an agent that offers logins, none of them chosen: go on (skip) or give up (fail)',
    ),
    new Option('--no-fs', 'do not serve files to the agent'),
    new Option('--terminal', 'run commands for an agent on the network as well, as for one of this machine'),
    new Option('--sandbox', 'run the agent in a sandbox where it can change the workspace and its own settings only'),
    new Option('--no-terminal', 'do not run commands for the agent'),
  ],
  'Session:': () => [
    new Option('--system-prompt <text>', `take the place of the agent's system prompt ${IN_META}`),
    new Option('--append-system-prompt <text>', `tell the model this besides ${IN_META}`),
    new Option('--allowed-tools <list>', `let only these tools exist: Read,Grep; "" for none ${IN_META}`),
    new Option('--max-turns <n>', `end a turn after so many requests to the model ${IN_META}`),
  ],
  'Permissions:': () => [
    new Option('--approve-all', 'allow everything that no rule denies'),
    new Option('--approve-reads', 'allow reading in the workspace, ask for the rest (the default)'),
    new Option('--deny-all', 'allow nothing'),
    new Option('--permission-mode <mode>', `one of ${permissionModeIds().join(', ')}`),
    new Option('--allow <rule>', "allow what fits, such as 'Bash(git *)' (repeat)").argParser(collect),
    new Option('--ask <rule>', 'always ask for what fits (repeat)').argParser(collect),
    new Option('--deny <rule>', "never allow what fits, such as 'Read(.env)' (repeat)").argParser(collect),
    new Option('--policy <json|file>', 'rules as JSON, here or in a file'),
    new Option('--permission-policy <json|file>', 'the same').hideHelp(),
    new Option('--non-interactive-permissions <deny|fail>', 'what a question becomes when nobody can be asked'),
  ],
  'Output:': () => [
    new Option('--format <format>', 'text, json (every protocol message) or quiet (the answer only)'),
    new Option('--json-strict', 'with --format json: nothing on stderr'),
    new Option('--suppress-reads', 'leave out what files contain'),
    new Option('--timeout <seconds>', 'give up after this long'),
    new Option('--prompt-retries <n>', 'prompt again, up to 10 times, when the agent fails before it did anything'),
    new Option('--ttl <seconds>', 'accepted for acpx scripts; without effect, as no agent stays between prompts'),
    new Option('--trace <file>', 'record every message, without secrets'),
    new Option('--exit-codes <set>', 'distinct, or acpx for scripts that expect its codes'),
    new Option('--plain', 'line by line, for pipes and screen readers'),
    new Option('--no-color', 'no colours (also: NO_COLOR)'),
    new Option('--verbose', 'show more'),
  ],
};

/** The flags of a command, with those that stood before it. */
export function sharedFlags(command: Command): SharedFlags {
  const flags = command.optsWithGlobals<SharedFlags & { permissionPolicy?: string }>();
  return flags.policy === undefined && flags.permissionPolicy !== undefined
    ? { ...flags, policy: flags.permissionPolicy }
    : flags;
}

/**
 * The flags as words again, for another process of this program that does the work instead: all but those that say where
 * we are and what we print.
 */
export function flagWords(flags: SharedFlags): readonly string[] {
  return Object.values(FLAGS)
    .flatMap((options) => options())
    .flatMap((option) => {
      const name = option.attributeName() as keyof SharedFlags;
      const value = KEPT_BACK.has(name) ? undefined : flags[name];
      const flag = option.long ?? '';
      if (typeof value === 'boolean') return value === !option.negate ? [flag] : [];
      return [value ?? []].flat().flatMap((word) => [flag, word]);
    });
}

/** The session has its agent and its folder, and another process prints nothing of ours; `policy` has the other name's value. */
const KEPT_BACK: ReadonlySet<string> = new Set([
  ...['agent', 'cwd', 'permissionPolicy'],
  ...['format', 'jsonStrict', 'suppressReads', 'ttl', 'exitCodes', 'plain', 'color', 'verbose'],
]);
