import { type AgentScript, END_TURN, type Step } from '@parley/testing/scripted-agent';

const ESC = '\x1b';

/** A picture of one point. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A second of silence would be long; this is a sound of two samples. */
export const SOUND = 'UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==';

export const MARKDOWN = `# What I found

The retry test depends on **real time**: it sleeps, and on a busy machine it sleeps *longer*. See [the docs](https://example.org/docs) or \`src/retry.ts\`.

1. Inject a clock
2. Use it in \`retry\`
   - with a default
   - in tests, a fake one
3. Run the suite

| file | before | after |
|:--|--:|--:|
| retry.ts | 41 | 44 |
| retry.test.ts | 90 | 88 |

\`\`\`ts
export async function retry<T>(work: () => Promise<T>, { clock = SYSTEM }: Options = {}): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(); // the happy path
    } catch (error) {
      if (attempt === 3) throw error;
      await clock.sleep(100 * attempt);
    }
  }
}
\`\`\`

> A test that waits is a test that lies.

- [x] find the cause
- [ ] run it a hundred times
`;

const OUTPUT = [
  `${ESC}[1m RUN ${ESC}[0m v4.1.12 ${ESC}[2m/work${ESC}[0m`,
  '',
  ...Array.from(
    { length: 14 },
    (_, index) => `${ESC}[32m ✓${ESC}[39m src/part-${index}.test.ts ${ESC}[2m(${index + 2} tests)${ESC}[22m`,
  ),
  `${ESC}[31m ✗${ESC}[39m src/retry.test.ts ${ESC}[31m1 failed${ESC}[39m`,
  'Progress 10%\rProgress 100%',
  `${ESC}[38;5;208m1 failed${ESC}[0m, ${ESC}[32m14 passed${ESC}[0m`,
].join('\n');

function update(fields: Readonly<Record<string, unknown>>): Step {
  return { do: 'update', update: fields };
}

const OLD = `import { sleep } from './sleep.ts';

export async function retry(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      await sleep(100);
    }
  }
}
`;

/** Steps of a turn that shows every kind of entry once. */
export const EVERYTHING: readonly Step[] = [
  update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'The test sleeps. Why?' } }),
  update({
    sessionUpdate: 'plan',
    entries: [
      { content: 'Read the tests', priority: 'medium', status: 'completed' },
      { content: 'Inject a clock', priority: 'high', status: 'in_progress' },
      { content: 'Run the suite', priority: 'low', status: 'pending' },
    ],
  }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'r',
    title: 'Read src/retry.ts',
    kind: 'read',
    status: 'completed',
    locations: [{ path: '/w/src/retry.ts', line: 41 }],
    content: [{ type: 'content', content: { type: 'text', text: OLD } }],
  }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'e',
    title: 'Edit src/retry.ts',
    kind: 'edit',
    status: 'completed',
    locations: [{ path: '/w/src/retry.ts' }],
    rawInput: { path: '/w/src/retry.ts' },
    content: [
      {
        type: 'diff',
        path: '/w/src/retry.ts',
        oldText: OLD,
        newText: OLD.replace('retry(work)', 'retry(work, clock)').replace('await sleep(100)', 'await clock.sleep(100)'),
      },
    ],
    _meta: { safetyLevel: 2, approvalHints: { rollbackSteps: 'Type /undo to put the file back.' } },
  }),
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'x',
    title: 'npm test',
    kind: 'execute',
    status: 'failed',
    content: [{ type: 'content', content: { type: 'text', text: OUTPUT } }],
  }),
  { do: 'say', text: MARKDOWN },
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'image', mimeType: 'image/png', data: PIXEL } }),
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'audio', mimeType: 'audio/wav', data: SOUND } }),
  update({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'resource_link', name: 'notes', uri: 'file:///w/notes.md', size: 1200 },
  }),
  update({ sessionUpdate: 'weather_update', sky: 'blue' }),
  update({ sessionUpdate: 'usage_update', used: 41_000, size: 100_000, cost: { amount: 0.12, currency: 'USD' } }),
  END_TURN,
];

/** What such an agent offers. */
export const SETTINGS: Pick<AgentScript, 'capabilities' | 'session'> = {
  capabilities: { promptCapabilities: { image: true }, loadSession: true },
  session: {
    modes: {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'code', name: 'Code' },
      ],
    },
  },
};
