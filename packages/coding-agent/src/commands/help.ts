import type { SlashCommand } from './command.ts';

export const help: SlashCommand = {
  name: 'help',
  description: 'What this agent can do, and its commands',
  async run({ turn, coding, discovery }) {
    const { mode, options, commands } = turn.session;
    const lines = commands.map(({ name, description }) => `- \`/${name}\`: ${description}`);
    const tools = coding.tools.map(({ name }) => `\`${name}\``).join(', ');
    const current = discovery.offers.find(({ id }) => id === options.model) ?? discovery.preferred;
    void turn.say(
      [
        `Model: **${current.name}**. Mode: **${mode ?? 'code'}**.`,
        `Commands:\n${lines.join('\n')}`,
        `Tools in this mode: ${tools}.`,
        ...(coding.instructions.length > 0
          ? [`Instructions: ${coding.instructions.map(({ path }) => `\`${path}\``).join(', ')}.`]
          : []),
        'To use another model set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GEMINI_API_KEY` or `PARLEY_BASE_URL` and start again, or run a local server such as Ollama and choose it with `/model`.',
      ].join('\n\n'),
    );
  },
};
