/** An agent whose command we know, so that its short name is enough once it is installed. */
export interface KnownAgent {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** The program to look for on the PATH, and the arguments that make it speak ACP. */
  readonly command: string;
  readonly args: readonly string[];
  /** Its id in the ACP registry, which says how to get it. */
  readonly registryId?: string;
  /** How to get it, where the registry does not say. */
  readonly install?: string;
}

/** The short names are those of acpx, so that scripts move over, and a few more. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { name: 'claude', title: 'Claude Agent', command: 'claude-agent-acp', args: [], registryId: 'claude-acp' },
  { name: 'codex', title: 'Codex CLI', command: 'codex-acp', args: [], registryId: 'codex-acp' },
  { name: 'gemini', title: 'Gemini CLI', command: 'gemini', args: ['--acp'], registryId: 'gemini' },
  {
    name: 'copilot',
    title: 'GitHub Copilot',
    command: 'copilot',
    args: ['--acp', '--stdio'],
    registryId: 'github-copilot-cli',
  },
  { name: 'opencode', title: 'OpenCode', command: 'opencode', args: ['acp'], registryId: 'opencode' },
  { name: 'qwen', title: 'Qwen Code', command: 'qwen', args: ['--acp'], registryId: 'qwen-code' },
  { name: 'kimi', title: 'Kimi', command: 'kimi', args: ['acp'], registryId: 'kimi' },
  { name: 'goose', title: 'goose', command: 'goose', args: ['acp'], registryId: 'goose' },
  { name: 'cursor', title: 'Cursor', command: 'cursor-agent', args: ['acp'], install: 'https://cursor.com/cli' },
  { name: 'auggie', title: 'Auggie CLI', command: 'auggie', args: ['--acp'], registryId: 'auggie' },
  { name: 'vibe', title: 'Mistral Vibe', command: 'vibe-acp', args: [], registryId: 'mistral-vibe' },
  {
    name: 'droid',
    aliases: ['factory-droid', 'factorydroid'],
    title: 'Factory Droid',
    command: 'droid',
    args: ['exec', '--output-format', 'acp'],
    registryId: 'factory-droid',
  },
  { name: 'pi', title: 'pi', command: 'pi-acp', args: [], registryId: 'pi-acp' },
  { name: 'kiro', title: 'Kiro CLI', command: 'kiro-cli', args: ['acp'], install: 'https://kiro.dev/cli' },
  { name: 'junie', title: 'Junie', command: 'junie', args: ['--acp=true'], registryId: 'junie-acp' },
  { name: 'fast-agent', title: 'fast-agent', command: 'fast-agent', args: ['acp'], registryId: 'fast-agent' },
  { name: 'kilocode', title: 'Kilo Code', command: 'kilocode', args: ['acp'], registryId: 'kilo' },
  { name: 'qoder', title: 'Qoder CLI', command: 'qodercli', args: ['--acp'], registryId: 'qoder' },
  {
    name: 'iflow',
    title: 'iFlow CLI',
    command: 'iflow',
    args: ['--experimental-acp'],
    install: 'npm install -g @iflow-ai/iflow-cli',
  },
  { name: 'grok-build', title: 'Grok Build', command: 'grok', args: ['agent', 'stdio'] },
  { name: 'mux', title: 'Mux', command: 'mux', args: ['acp'], install: 'npm install -g mux' },
  { name: 'openclaw', title: 'OpenClaw', command: 'openclaw', args: ['acp'] },
  { name: 'trae', title: 'Trae CLI', command: 'traecli', args: ['acp', 'serve'] },
  { name: 'pool', title: 'Poolside', command: 'pool', args: ['acp'] },
  { name: 'zeroclaw', title: 'ZeroClaw', command: 'zeroclaw', args: ['acp'] },
  { name: 'cagent', title: 'Docker cagent', command: 'cagent', args: ['acp'], registryId: 'cagent' },
  { name: 'stakpak', title: 'Stakpak', command: 'stakpak', args: ['acp'], registryId: 'stakpak' },
];

export function findKnownAgent(name: string): KnownAgent | undefined {
  const wanted = name.trim().toLowerCase();
  return KNOWN_AGENTS.find((agent) => agent.name === wanted || agent.aliases?.includes(wanted));
}
