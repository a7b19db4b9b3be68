// A small MCP server on stdio for tests: one long answer, one early death, a prompt, a resource and a word about itself.
// With a number, that many tools more.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tool = (name) => ({ name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
/** Its schema is a good one, which some providers refuse all the same. */
const odd = {
  ...tool('odd'),
  inputSchema: {
    type: 'object',
    properties: { 'Start<': { type: 'string' } },
    anyOf: [{ required: ['Start<'] }, { properties: { list: { type: 'array' } }, required: ['list'] }],
  },
};
const many = Array.from({ length: Number(process.argv[2] ?? 0) }, (_, index) => tool(`more_${index}`));
const text = (value) => ({ content: [{ type: 'text', text: value }] });

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'small', version: '1' },
    instructions: 'Ask for the pid before anything else.',
  }),
  'tools/list': () => ({ tools: [...['flood', 'die', 'pid'].map(tool), odd, ...many] }),
  'tools/call': ({ name, arguments: given }) => {
    if (name === 'odd') return text(`given ${JSON.stringify(given)}`);
    if (name === 'die') process.exit(1);
    return text(name === 'flood' ? '😀'.repeat(1_000_000) : `process ${process.pid}`);
  },
  'prompts/list': () => ({
    prompts: [
      {
        name: 'review',
        description: 'Reviews a file',
        arguments: [{ name: 'path', required: true }, { name: 'focus' }],
      },
    ],
  }),
  'prompts/get': ({ arguments: { path, focus = 'everything' } }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Review ${path} with an eye on ${focus}.` } }],
  }),
  'resources/list': () => ({ resources: [{ uri: 'small://notes', name: 'notes', mimeType: 'text/plain' }] }),
  'resources/read': ({ uri }) => {
    if (uri !== 'small://notes') throw new Error(`There is no ${uri}`);
    return { contents: [{ uri, mimeType: 'text/plain', text: 'Remember the milk.' }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  try {
    const answer = answers[method];
    if (answer) send({ id, result: answer(params) });
    else send({ id, error: { code: -32601, message: 'Method not found' } });
  } catch (error) {
    send({ id, error: { code: -32602, message: error.message } });
  }
}
