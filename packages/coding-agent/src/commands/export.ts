import { isAbsolute, join } from 'node:path';
import { promptMessageId, type SessionEvent } from '@parley/session';
import type { SlashCommand } from './command.ts';

export const exportSession: SlashCommand = {
  name: 'export',
  description: 'Write the conversation to a Markdown file',
  hint: 'path of the file',
  async run({ turn, files, input }) {
    const { cwd, id, title } = turn.session;
    const name = input === '' ? `session-${id.replace(/^sess_/, '').slice(0, 8)}.md` : input;
    const path = isAbsolute(name) ? name : join(cwd, name);
    const conversation = await toMarkdown(turn.session.history(), promptMessageId(turn.id));
    try {
      await files.write(path, `# ${title ?? 'Session'}\n\n${conversation}`);
      void turn.say(`Written to \`${path}\`.`);
    } catch (error) {
      void turn.say(`It could not be written: ${(error as Error).message}`);
    }
  },
};

/** Everything up to a prompt: what was said, and the names of the tools that were used in between. */
async function toMarkdown(events: AsyncIterable<SessionEvent>, until: string): Promise<string> {
  const sections: string[] = [];
  let speaker: string | undefined;
  const say = (who: 'You' | 'Agent', text: string, isNew: boolean): void => {
    if (speaker !== who) sections.push(`## ${who}`);
    if (speaker === who && !isNew) sections.push((sections.pop() ?? '') + text);
    else sections.push(text);
    speaker = who;
  };
  let wasText = false;
  const calls = new Map<string, number>();
  for await (const event of events) {
    if (event.type === 'message_chunk') {
      if (event.messageId === until) break;
      const text = event.content.type === 'text' ? event.content.text : `[${event.content.type}]`;
      say(event.speaker === 'user' ? 'You' : 'Agent', text, !wasText || event.speaker === 'user');
      wasText = true;
    } else if (event.type === 'tool_call' && event.title !== undefined) {
      const line = `- \`${event.title}\``;
      const known = calls.get(event.toolCallId);
      if (known === undefined) {
        say('Agent', line, true);
        calls.set(event.toolCallId, sections.length - 1);
        wasText = false;
      } else sections[known] = line;
    }
  }
  return `${sections.map((section) => section.trim()).join('\n\n')}\n`;
}
