import type { Registry } from './registry-format.ts';

/**
 * A small part of the public ACP registry, in its own format, for when there is no network. Packages stand without a
 * version, so that what is run is the newest. `parley agents update` replaces it with the whole registry.
 */
export const REGISTRY_SNAPSHOT: Registry = {
  version: '1.0.0',
  agents: [
    {
      id: 'auggie',
      name: 'Auggie CLI',
      description: "Augment Code's agent",
      distribution: {
        npx: { package: '@augmentcode/auggie', args: ['--acp'], env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' } },
      },
    },
    {
      id: 'cagent',
      name: 'Docker cagent',
      description: "Docker's agent",
      repository: 'https://github.com/docker/cagent',
      distribution: {},
    },
    {
      id: 'claude-acp',
      name: 'Claude Agent',
      description: "Anthropic's Claude, by way of an ACP adapter",
      repository: 'https://github.com/agentclientprotocol/claude-agent-acp',
      distribution: { npx: { package: '@agentclientprotocol/claude-agent-acp' } },
    },
    {
      id: 'codex-acp',
      name: 'Codex CLI',
      description: "OpenAI's Codex, by way of an ACP adapter",
      repository: 'https://github.com/agentclientprotocol/codex-acp',
      distribution: { npx: { package: '@agentclientprotocol/codex-acp' } },
    },
    {
      id: 'factory-droid',
      name: 'Factory Droid',
      description: "Factory's agent",
      website: 'https://factory.ai',
      distribution: {},
    },
    {
      id: 'fast-agent',
      name: 'fast-agent',
      description: 'An agent framework for many providers',
      repository: 'https://github.com/evalstate/fast-agent',
      distribution: { uvx: { package: 'fast-agent-mcp', args: ['acp'] } },
    },
    {
      id: 'gemini',
      name: 'Gemini CLI',
      description: "Google's command line for Gemini",
      repository: 'https://github.com/google-gemini/gemini-cli',
      distribution: { npx: { package: '@google/gemini-cli', args: ['--acp'] } },
    },
    {
      id: 'github-copilot-cli',
      name: 'GitHub Copilot',
      description: "GitHub's command line for Copilot",
      repository: 'https://github.com/github/copilot-cli',
      distribution: { npx: { package: '@github/copilot', args: ['--acp', '--stdio'] } },
    },
    {
      id: 'goose',
      name: 'goose',
      description: 'A local, extensible agent',
      repository: 'https://github.com/block/goose',
      distribution: {},
    },
    {
      id: 'junie-acp',
      name: 'Junie',
      description: "JetBrains' agent",
      repository: 'https://github.com/jetbrains-junie/junie',
      distribution: { npx: { package: '@jetbrains/junie-cli', args: ['--acp=true'] } },
    },
    {
      id: 'kilo',
      name: 'Kilo Code',
      description: "Kilo Code's command line",
      distribution: { npx: { package: '@kilocode/cli', args: ['acp'] } },
    },
    {
      id: 'kimi',
      name: 'Kimi',
      description: "Moonshot AI's agent",
      repository: 'https://github.com/MoonshotAI/kimi-cli',
      distribution: {},
    },
    {
      id: 'mistral-vibe',
      name: 'Mistral Vibe',
      description: "Mistral's agent",
      repository: 'https://github.com/mistralai/mistral-vibe',
      distribution: {},
    },
    {
      id: 'opencode',
      name: 'OpenCode',
      description: 'An open source agent for many models',
      repository: 'https://github.com/anomalyco/opencode',
      distribution: { npx: { package: 'opencode-ai', args: ['acp'] } },
    },
    {
      id: 'pi-acp',
      name: 'pi',
      description: 'The pi agent, by way of an ACP adapter',
      distribution: { npx: { package: 'pi-acp' } },
    },
    {
      id: 'qoder',
      name: 'Qoder CLI',
      description: "Qoder's command line",
      distribution: { npx: { package: '@qoder-ai/qodercli', args: ['--acp'] } },
    },
    {
      id: 'qwen-code',
      name: 'Qwen Code',
      description: "Alibaba's agent",
      repository: 'https://github.com/QwenLM/qwen-code',
      distribution: { npx: { package: '@qwen-code/qwen-code', args: ['--acp'] } },
    },
    {
      id: 'stakpak',
      name: 'Stakpak',
      description: 'A DevOps agent',
      repository: 'https://github.com/stakpak/agent',
      distribution: {},
    },
  ],
};
