import { calls, once, type RepairTask } from './repair-task.ts';

const SUM =
  'export function sum(values) {\n  let total = 1;\n  for (const value of values) total += value;\n  return total;\n}\n';
const SUM_FIXED = SUM.replace('total = 1', 'total = 0');
const CHECK =
  "import { sum } from './sum.mjs';\nif (sum([1, 2]) !== 3) {\n  console.error('sum([1, 2]) is', sum([1, 2]));\n  process.exit(1);\n}\nconsole.log('ok');\n";

/** Repairs in which the model's way of reading and editing is the trouble. */
export const EDIT_TASKS: readonly RepairTask[] = [
  {
    name: 'parallel reads, then several edits at once',
    wire: 'openai-chat',
    files: {
      'a.mjs': 'export const a = 1;\nexport const port = 80;\n',
      'b.mjs': 'export const b = 2;\n',
      'sum.mjs': SUM,
    },
    prompt: 'sum is off by one, and the port must be 8080',
    steps: [
      calls(['read_file', { path: 'a.mjs' }], ['read_file', { path: 'b.mjs' }], ['read_file', { path: 'sum.mjs' }]),
      once(
        'let total = 1',
        calls(
          [
            'edit_file',
            {
              path: 'a.mjs',
              edits: [
                { old_text: 'a = 1', new_text: 'a = 10' },
                { old_text: '= 80;', new_text: '= 8080;' },
              ],
            },
          ],
          ['edit_file', { path: 'sum.mjs', old_text: 'let total = 1;', new_text: 'let total = 0;' }],
        ),
      ),
      once('Edited sum.mjs', 'Both are repaired.'),
    ],
    expected: { 'a.mjs': 'export const a = 10;\nexport const port = 8080;\n', 'sum.mjs': SUM_FIXED },
  },
  {
    name: 'bad arguments: broken JSON, a wrong name, a missing value, numbers as text',
    wire: 'openai-responses',
    files: { 'sum.mjs': SUM },
    prompt: 'repair sum',
    steps: [
      { events: [{ type: 'tool_call', name: 'read_file', rawArguments: '{"path": "sum.mjs"' }] },
      once('JSON', calls(['read_file', { file_path: 'sum.mjs' }])),
      once('"path" is required', calls(['read_file', { path: 'sum.mjs', limit: '3' }])),
      once('let total = 1', calls(['edit_file', { path: 'sum.mjs', old_text: 'let total = 1;' }])),
      once(
        '"new_text" is required',
        calls([
          'edit_file',
          { path: 'sum.mjs', edits: JSON.stringify([{ old_text: 'let total = 1;', new_text: 'let total = 0;' }]) },
        ]),
      ),
      once('Edited sum.mjs', 'Repaired.'),
    ],
    expected: { 'sum.mjs': SUM_FIXED },
  },
  {
    name: 'an edit that does not fit, and a second look',
    wire: 'anthropic',
    files: { 'list.mjs': Array.from({ length: 400 }, (_, n) => `export const value${n} = ${n};\n`).join('') },
    prompt: 'value123 must be 1000',
    steps: [
      calls([
        'edit_file',
        { path: 'list.mjs', old_text: 'export const value123 = 321;', new_text: 'export const value123 = 1000;' },
      ]),
      once(/not|nothing/i, calls(['search_files', { pattern: 'value123\\b', path: 'list.mjs' }])),
      once(
        'value123 = 123',
        calls(['edit_file', { path: 'list.mjs', old_text: 'value123 = 123;', new_text: 'value123 = 1000;' }]),
      ),
      once('Edited list.mjs', 'Done.'),
    ],
    expected: {
      'list.mjs': Array.from({ length: 400 }, (_, n) => `export const value${n} = ${n === 123 ? 1000 : n};\n`).join(''),
    },
  },
  {
    name: 'quotes and blanks that are not quite those of the file',
    wire: 'gemini',
    files: { 'say.mjs': "export function say(name) {\n    return 'Hello ' + name;\n}\n" },
    prompt: 'say Good day instead',
    steps: [
      calls(['read_file', { path: 'say.mjs' }]),
      calls([
        'edit_file',
        { path: 'say.mjs', old_text: 'return ‘Hello ’ + name;  ', new_text: "return 'Good day ' + name;" },
      ]),
      once('Edited say.mjs', 'Done.'),
    ],
    expected: { 'say.mjs': "export function say(name) {\n    return 'Good day ' + name;\n}\n" },
  },
  {
    name: 'a wrong repair that the test shows',
    wire: 'openai-chat',
    files: { 'sum.mjs': SUM, 'check.mjs': CHECK },
    prompt: 'make check.mjs pass',
    steps: [
      calls(['read_file', { path: 'sum.mjs' }], ['run_command', { command: 'node check.mjs' }]),
      once('sum([1, 2]) is 4', calls(['edit_file', { path: 'sum.mjs', old_text: 'total = 1', new_text: 'total = 2' }])),
      calls(['run_command', { command: 'node check.mjs' }]),
      once('sum([1, 2]) is 5', calls(['edit_file', { path: 'sum.mjs', old_text: 'total = 2', new_text: 'total = 0' }])),
      calls(['run_command', { command: 'node check.mjs' }]),
      once(/ok[\s\S]*exit code 0/, 'It passes now.'),
    ],
    expected: { 'sum.mjs': SUM_FIXED },
  },
  {
    name: 'a file that somebody else changes between the look and the edit',
    wire: 'anthropic',
    files: { 'version.txt': 'version 1\n' },
    prompt: 'it must be version 3',
    steps: [
      calls(['read_file', { path: 'version.txt' }]),
      calls(['run_command', { command: 'echo "version 2" > version.txt' }]),
      calls(['write_file', { path: 'version.txt', content: 'version 3\n' }]),
      once('has changed since you read it', calls(['read_file', { path: 'version.txt' }])),
      once('version 2', calls(['edit_file', { path: 'version.txt', old_text: 'version 2', new_text: 'version 3' }])),
      once('Edited version.txt', 'Done.'),
    ],
    expected: { 'version.txt': 'version 3\n' },
  },
];
