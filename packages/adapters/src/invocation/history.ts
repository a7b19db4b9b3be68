import type { SessionEvent } from '@parley/session';
import type { Description } from '../description/description.ts';
import { fillText } from './templates.ts';

export interface PastTurn {
  readonly input: string;
  readonly output: string;
}

/** The turns before the one that runs, as far as they were spoken. */
export async function readHistory(events: AsyncIterable<SessionEvent>): Promise<readonly PastTurn[]> {
  const turns: { input: string; output: string; isAnswered: boolean }[] = [];
  let messageId: string | undefined;
  for await (const event of events) {
    if (event.type !== 'message_chunk' && event.type !== 'whole_message') continue;
    const { speaker } = event;
    const contents = event.type === 'message_chunk' ? [event.content] : (event.content ?? []);
    const text = contents.map((content) => (content.type === 'text' ? content.text : '')).join('');
    const last = turns.at(-1);
    if (speaker === 'user') {
      if (!last || last.isAnswered || event.messageId !== messageId) {
        turns.push({ input: text, output: '', isAnswered: false });
      } else {
        last.input += `\n${text}`;
      }
    } else if (last) {
      const isNewMessage = last.isAnswered && event.messageId !== messageId;
      last.output += isNewMessage ? `\n\n${text}` : text;
      last.isAnswered = true;
    }
    messageId = event.messageId;
  }
  // The prompt that runs is part of the history already.
  return turns.slice(0, -1).map(({ input, output }) => ({ input, output }));
}

const DEFAULT_TURN = 'User: {{input}}\nAssistant: {{output}}';

/** A prompt with all that was said before it. Texts are put in as they are, whatever signs they hold. */
export function withHistory(
  { historyTemplate }: Pick<Description, 'historyTemplate'>,
  turns: readonly PastTurn[],
  prompt: string,
): string {
  const template =
    typeof historyTemplate === 'object' ? historyTemplate : { turnFormat: historyTemplate ?? DEFAULT_TURN };
  const { turnFormat } = template;
  const system = 'system' in template ? template.system : undefined;
  if (turns.length === 0) return system === undefined ? prompt : `${system}\n\n${prompt}`;
  const past = turns.map(({ input, output }) => fillText(turnFormat, { input, output }));
  return [...(system === undefined ? [] : [system]), ...past, openTurn(turnFormat, prompt)].join('\n\n');
}

/** The turn that is to be answered: what the format has up to the prompt, with the tag that closes it. */
function openTurn(turnFormat: string, prompt: string): string {
  const beginning = /^[\s\S]*?\{\{\s*input\s*\}\}(?:<\/[^>]*>)?/.exec(turnFormat)?.[0];
  return beginning === undefined ? `User: ${prompt}` : fillText(beginning, { input: prompt });
}
