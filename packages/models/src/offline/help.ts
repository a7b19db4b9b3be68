import { headOf } from '../text.ts';
import { inlineCode } from './inline-code.ts';

/** How to get a model that understands more; said once, at the end of an answer that disappoints. */
export const CONNECT_LINE =
  'To connect a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or another key, or start a local server such as Ollama and choose it with /model; `parley models` lists what is within reach.';

export const HELP: string = `I am Parley's offline model: a small set of rules, not an AI. I follow plain commands and use the real tools for them:

- read or show files: \`read src/app.ts\`, \`show a.txt and b.txt\`, \`show lines 10-20 of src/app.ts\`
- list and search: \`list the files in src\`, \`list *.md\`, \`search for "parseConfig" in src\`
- change files: \`replace "foo" with "bar" in src/app.ts\`, \`create notes.md with "Hello"\`, \`append "one more line" to notes.md\`
- move and delete: \`move a.txt to b.txt\`, \`delete b.txt\`
- run commands: \`run npm test\`, \`git status\`
- fetch a page: \`fetch https://example.com\`
- plan first: \`plan: replace "foo" with "bar" in a.ts, then run npm test, then do it\`
- ask: \`ask me "Which port?"\`
- any tool, MCP included: \`call mcp__server__tool with {"key": "value"}\`

Several steps fit in one prompt: \`read a.ts, then replace "x" with "y" in it, then run npm test\`. Put arguments with spaces in quotes or backticks.`;

export const GREETING: string = `Hello. I am Parley's offline model: a small set of rules, not an AI. Try \`list the files\`, \`read README.md\` or \`help\`.`;

export const THANKS = 'You are welcome. Say `help` to see what I understand.';

const NOT_UNDERSTOOD = 'I did not understand';

/** Whether an answer of the offline model is that no rule fits. */
export function isNotUnderstood(answer: string): boolean {
  return answer.startsWith(NOT_UNDERSTOOD);
}

const MAX_QUOTED = 5;
const MAX_QUOTED_CHARS = 120;

/** The answer to what no rule fits: one for it all, however many parts it has. */
export function notUnderstood(texts: readonly string[]): string {
  const said = [...new Set(texts.map((text) => headOf(text.replace(/\s+/g, ' ').trim(), MAX_QUOTED_CHARS)))];
  const quoted = said.filter((text) => text !== '').map(inlineCode);
  const left = quoted.length - MAX_QUOTED;
  const named = left > 0 ? [...quoted.slice(0, MAX_QUOTED), `${left} more`] : quoted;
  const what = named.length === 0 ? 'what to do' : joinWith(named, left > 0 ? 'and' : 'or');
  return `${NOT_UNDERSTOOD} ${what}. I am Parley's offline model: I follow simple commands such as \`read README.md\`, \`search for "main" in src\` or \`run npm test\`; say \`help\` for all of them.`;
}

function joinWith(words: readonly string[], word: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;
}
