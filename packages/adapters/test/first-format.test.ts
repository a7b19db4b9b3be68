// Two descriptions as people have them from where this format was first published: the same fields with the same values, set
// down anew. They say less than ours, and must do as much as they say.
import { type Description, parseDescription } from '../src/index.ts';
import { commandLineCases } from './command-line-cases.ts';

const event = (value: string, emitAs: string, extract: object): object => ({
  match: { path: '$.type', value },
  emitAs,
  extract,
});

const CLAUDE = {
  version: 1,
  name: 'claude-headless',
  command: ['claude'],
  sessionMode: 'stream',
  prompt: { flag: '-p' },
  output: { flag: '--output-format', value: 'stream-json' },
  autoApprove: ['--dangerously-skip-permissions', '--verbose'],
  resume: { flag: '--resume', sessionIdPath: '$.session_id' },
  outputEvents: [
    event('assistant', 'message', { content: '$.message.content[0].text' }),
    event('tool_use', 'tool_call', { title: '$.name', status: "'pending'", input: '$.input' }),
    event('tool_result', 'tool_call', { title: '$.name', status: "'completed'", output: '$.content' }),
  ],
  result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.result' },
};

const GEMINI = {
  version: 1,
  name: 'gemini-headless',
  command: ['gemini'],
  sessionMode: 'iterative',
  prompt: { flag: '' },
  output: { flag: '--output-format', value: 'stream-json' },
  autoApprove: ['--sandbox', 'false'],
  outputEvents: [
    event('message', 'message', { content: '$.content' }),
    event('tool_use', 'tool_call', { title: '$.tool_name', status: "'pending'", input: '$.args' }),
    event('tool_result', 'tool_call', { title: '$.tool_name', status: "'completed'", output: '$.output' }),
  ],
  result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.content' },
  historyTemplate: 'User: {{input}}\nAssistant: {{output}}',
};

const read = (description: object) => (): Promise<Description> =>
  Promise.resolve(parseDescription(JSON.stringify(description), 'description.json'));

// Claude writes its tool calls inside of messages, where this description does not look.
commandLineCases({
  name: 'claude in the first format',
  format: 'claude',
  read: read(CLAUDE),
  lacks: ['thoughts', 'tools', 'usage', 'errors'],
});

commandLineCases({
  name: 'gemini in the first format',
  format: 'gemini',
  read: read(GEMINI),
  lacks: ['usage', 'errors'],
});
