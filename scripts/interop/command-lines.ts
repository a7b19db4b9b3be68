import { AGENTS, type InteropAgent } from './agents.ts';

/**
 * Command lines behind our adapters: the same programs as in `AGENTS` where those are programs of their own, and the packages
 * that hold only the command line where they are not.
 */
export const COMMAND_LINES: readonly InteropAgent[] = [
  {
    ...like('claude'),
    name: 'adapted-claude',
    npm: '@anthropic-ai/claude-code@2.1.325',
    bin: 'claude',
    adapts: 'claude',
  },
  { ...like('qwen'), name: 'adapted-qwen', adapts: 'qwen' },
  { ...like('gemini'), name: 'adapted-gemini', adapts: 'gemini', mode: 'yolo', neverAsks: true },
  {
    ...like('codex'),
    name: 'adapted-codex',
    npm: '@openai/codex@0.166.0',
    bin: 'codex',
    adapts: 'codex',
    mode: 'danger-full-access',
    neverAsks: true,
  },
  { ...like('opencode'), name: 'adapted-opencode', adapts: 'opencode', mode: 'auto', neverAsks: true },
  { ...like('kimi'), name: 'adapted-kimi', adapts: 'kimi', neverAsks: true },
  {
    name: 'adapted-copilot',
    npm: '@github/copilot@1.0.102',
    bin: 'copilot',
    args: [],
    adapts: 'copilot',
    mode: 'allowAll',
    neverAsks: true,
    note: 'about 190 MB',
    prepare: ({ modelUrl }) => ({
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: 'fake',
      COPILOT_MODEL: 'fake-model',
      COPILOT_OFFLINE: 'true',
    }),
  },
];

/** How one of the agents is set up; over ACP it may differ in versions and arguments, which mean nothing here. */
function like(name: string): InteropAgent {
  const agent = AGENTS.find((each) => each.name === name);
  if (!agent) throw new Error(`There is no agent "${name}" to be like.`);
  const { protocols: _, auth: __, mode: ___, ...rest } = agent;
  return { ...rest, args: [], isDefault: false };
}
