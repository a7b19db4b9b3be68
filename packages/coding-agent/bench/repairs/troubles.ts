import { calls, once, type RepairTask } from './repair-task.ts';

const BROKEN = 'export const limit = "10";\n';
const FIXED = 'export const limit = 10;\n';
const look = calls(['read_file', { path: 'limit.mjs' }]);
const repair = calls(['edit_file', { path: 'limit.mjs', old_text: '"10"', new_text: '10' }]);
const task = {
  files: { 'limit.mjs': BROKEN },
  prompt: 'limit must be a number',
  expected: { 'limit.mjs': FIXED },
} as const;

/** Repairs in which answers break, end too soon, come too often or are too long. */
export const TROUBLE_TASKS: readonly RepairTask[] = [
  {
    ...task,
    name: 'answers that are cut in the middle of words and of arguments',
    wire: 'openai-chat',
    steps: [
      { events: [{ type: 'text', text: 'I will look' }, { type: 'cut' }] },
      look,
      {
        events: [
          { type: 'tool_call', name: 'edit_file', rawArguments: '{"path":"limit.mjs","old_te' },
          { type: 'cut' },
        ],
      },
      once('limit = ', repair),
      once('Edited limit.mjs', 'Done.'),
    ],
  },
  {
    ...task,
    name: 'an overloaded provider, before and in the middle of an answer',
    wire: 'anthropic',
    steps: [
      { error: 'overloaded' },
      { error: 'rate_limit', retryAfterSeconds: 0 },
      {
        events: [
          { type: 'thought', text: 'Let me see.' },
          { type: 'error', kind: 'overloaded' },
        ],
      },
      look,
      repair,
      once('Edited limit.mjs', 'Done.'),
    ],
  },
  {
    ...task,
    name: 'a model that goes round in circles until it is told',
    wire: 'openai-responses',
    steps: [
      ...Array.from({ length: 3 }, () => calls(['read_file', { path: 'limits.mjs' }])),
      once(/same/i, calls(['list_files', {}])),
      once('limit.mjs', look),
      repair,
      once('Edited limit.mjs', 'Done.'),
    ],
  },
  {
    ...task,
    name: 'a command with far too much output, of which the end matters',
    wire: 'gemini',
    files: {
      'limit.mjs': BROKEN,
      'noise.mjs':
        "for (let n = 0; n < 20000; n++) console.log('line', n, 'x'.repeat(20));\nconsole.log('limit.mjs has a string');\n",
    },
    steps: [
      calls(['run_command', { command: 'node noise.mjs' }]),
      once('limit.mjs has a string', ({ last }) => {
        const [, file = ''] = /the whole output is in (\S+?), which/.exec(last) ?? [];
        return calls(['read_file', { path: file, line: 20001, limit: 1 }]);
      }),
      once('limit.mjs has a string', look),
      repair,
      once('Edited limit.mjs', 'Done.'),
    ],
  },
  {
    ...task,
    name: 'empty answers, thoughts alone, and one that reaches its limit',
    wire: 'openai-chat',
    steps: [
      { events: [] },
      { events: [{ type: 'thought', text: 'I should look.' }] },
      look,
      {
        events: [
          { type: 'tool_call', name: 'write_file', input: { path: 'limit.mjs', content: 'export' } },
          { type: 'stop', reason: 'max_tokens' },
        ],
      },
      once('Not run', repair),
      once('Edited limit.mjs', 'Done.'),
    ],
  },
  {
    ...task,
    name: 'a sub-agent that finds the place, a tool that is not there, and two calls of one id',
    wire: 'anthropic',
    steps: [
      calls(['task', { kind: 'explore', prompt: 'where is the limit?' }]),
      calls(['search_files', { pattern: 'limit' }], ['read_file', { path: 'limit.mjs' }]),
      'limit.mjs:1',
      once('limit.mjs:1', calls(['str_replace', { path: 'limit.mjs' }])),
      once('There is no tool "str_replace"', {
        events: [
          { type: 'tool_call', id: 'same', name: 'read_file', input: { path: 'limit.mjs' } },
          {
            type: 'tool_call',
            id: 'same',
            name: 'edit_file',
            input: { path: 'limit.mjs', old_text: '"10"', new_text: '10' },
          },
        ],
      }),
      once('Edited limit.mjs', 'Done.'),
    ],
  },
];
