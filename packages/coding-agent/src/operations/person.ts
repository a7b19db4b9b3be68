import type { Client } from '@parley/agent';

export interface AskOptions {
  readonly client: Client;
  readonly question: string;
  readonly choices: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Puts a question to the person by a form; undefined when the client has none, or they do not answer. */
export async function askPerson({ client, question, choices, signal }: AskOptions): Promise<string | undefined> {
  if (!client.offers.elicitForm) return undefined;
  const answer = await client.elicit({
    message: question,
    form: {
      type: 'object',
      properties: {
        answer: choices
          ? { type: 'string', title: 'Answer', oneOf: choices.map((choice) => ({ const: choice, title: choice })) }
          : { type: 'string', title: 'Answer' },
      },
      required: ['answer'],
    },
    signal,
  });
  if (answer.action !== 'accept') return undefined;
  const { answer: text } = answer.content ?? {};
  return text === undefined ? undefined : String(text);
}
