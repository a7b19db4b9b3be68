import type { SlashCommand } from './command.ts';

export const mcp: SlashCommand = {
  name: 'mcp',
  description: 'Show the MCP servers of this session and their tools',
  async run({ turn, coding }) {
    const { connected, failures } = coding.mcp;
    if (connected.length === 0 && failures.length === 0) {
      void turn.say('This session has no MCP servers. Your editor or `--mcp-config` can name some.');
      return;
    }
    const lines = [
      ...connected.map(
        ({ name, tools, prompts, hasResources }) =>
          `- **${name}**: ${[
            tools.map((tool) => `\`${tool.name}\``).join(', ') || 'no tools',
            ...(prompts.length > 0 ? [`prompts ${prompts.map((prompt) => `\`${prompt.name}\``).join(', ')}`] : []),
            ...(hasResources ? ['resources'] : []),
          ].join('; ')}`,
      ),
      ...failures.map(({ server, because }) => `- **${server}** failed: ${because}`),
    ];
    void turn.say(lines.join('\n'));
  },
};
