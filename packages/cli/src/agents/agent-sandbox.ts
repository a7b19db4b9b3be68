import { usageError } from '@parley/host/command-line';
import type { AgentSandboxConfig } from '../config/config.ts';
import type { ResolvedAgent } from './resolved-agent.ts';

/** Where agents keep their settings and logins, below the home folder. */
const OWN_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  claude: ['.claude', '.claude.json'],
  codex: ['.codex'],
  gemini: ['.gemini'],
  qwen: ['.qwen'],
  kimi: ['.kimi'],
  copilot: ['.copilot', '.config/github-copilot'],
  cursor: ['.cursor'],
  goose: ['.config/goose', '.local/share/goose', '.local/state/goose'],
  opencode: ['.config/opencode', '.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
  amp: ['.config/amp', '.local/share/amp'],
  crush: ['.config/crush', '.local/share/crush'],
};

/** The agent, to be started in a sandbox. */
export function withSandbox(agent: ResolvedAgent, sandbox: AgentSandboxConfig): ResolvedAgent {
  if (agent.origin === 'own')
    throw usageError('Our own agent puts its commands in a sandbox by itself.', 'parley config set sandbox always');
  if (agent.address.kind !== 'command')
    throw usageError(`${agent.name} runs on another machine, so it cannot be put in a sandbox here.`);
  return { ...agent, sandbox };
}

/** The address of an agent for commands that start it by themselves, which they do without a sandbox. */
export function requireUnconfined(agent: ResolvedAgent, command: string): ResolvedAgent {
  if (!agent.sandbox) return agent;
  throw usageError(
    `${agent.name} runs in a sandbox, and \`parley ${command}\` would start it without one.`,
    `parley ${command} -- <its command>   (without a sandbox)`,
  );
}

/** The folders of an agent's own settings, absolute, by the name that people know it by. */
export function ownFoldersOf({ name }: Pick<ResolvedAgent, 'name'>, home: string): readonly string[] {
  const known = Object.keys(OWN_FOLDERS).find((each) =>
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(each),
  );
  return (known === undefined ? [] : (OWN_FOLDERS[known] ?? [])).map((folder) => `${home}/${folder}`);
}
