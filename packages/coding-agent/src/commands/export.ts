import { isAbsolute, join } from 'node:path';
import type { SessionEvent } from '@parley/protocol';
import type { SlashCommand } from './command.ts';

export const exportSession: SlashCommand = {
  name: 'export',
  description: 'Write the conversation to a Markdown file',
  hint: 'path of the file',
  async run({ turn, files, input }) {
    const { cwd, id, title } = turn.session;
    const name = input === '' ? `session-${id.slice(0, 8)}.md` : input;
    const path = isAbsolute(name) ? name : join(cwd, name);
    const parts = [`# ${title ?? 'Session'}\n`];
    for await (const event of turn.session.history()) parts.push(markdownOf(event, parts.at(-1) ?? ''));
    try {
      await files.write(path, `${parts.join('').trimEnd()}\n`);
      void turn.say(`Written to \`${path}\`.`);
    } catch (error) {
      void turn.say(`It could not be written: ${(error as Error).message}`);
    }
  },
};

function markdownOf(event: SessionEvent, before: string): string {
  switch (event.type) {
    case 'message_chunk': {
      const text = event.content.type === 'text' ? event.content.text : `[${event.content.type}]`;
      return event.speaker === 'user' ? `\n\n## You\n\n${text}\n\n## Agent\n\n` : text;
    }
    case 'tool_call':
      return event.title === undefined ? '' : `${before.endsWith('\n') ? '' : '\n\n'}- \`${event.title}\`\n`;
    default:
      return '';
  }
}
