import type { ClientSession } from '@parley/client';
import type { FakeEvent, FakeModelServer, RecordedRequest, Reply } from '@parley/testing/fake-model-server';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const PIXEL = PNG.sync.write(new PNG({ width: 1, height: 1 }));
const SUB_WORK = 'Look at what is there.';

/** One thing the model or the person does, small enough that all combinations make sense. */
interface TurnPlan {
  readonly prompt: string;
  /** Each is one answer: what is said, and what is called. */
  readonly answers: readonly { readonly thought: string; readonly text: string; readonly calls: readonly Call[] }[];
  readonly end: 'text' | 'cancel' | 'refusal' | 'cut' | 'max_tokens' | 'too_long' | 'invalid';
}
type Call = { readonly name: string; readonly input: Record<string, unknown> };

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.constantFrom<Call>(
    { name: 'read_file', input: { path: 'a.txt' } },
    { name: 'read_file', input: { path: 'missing.txt' } },
    { name: 'read_file', input: { path: 'long.txt' } },
    { name: 'read_file', input: { path: 'inner/b.txt' } },
    { name: 'task', input: { kind: 'explore', prompt: SUB_WORK } },
    { name: 'read_file', input: { path: 'pixel.png' } },
    { name: 'read_file', input: { path: 'paper.pdf' } },
    { name: 'read_file', input: { path: 'secret.txt' } },
    { name: 'read_file', input: {} },
    { name: 'list_files', input: {} },
    { name: 'search_files', input: { pattern: 'text' } },
    { name: 'edit_file', input: { path: 'a.txt', old_text: 'nowhere', new_text: 'x' } },
    { name: 'fly', input: { to: 'the moon' } },
    { name: 'update_plan', input: { entries: [{ content: 'one', status: 'pending', priority: 'low' }] } },
    { name: 'update_plan', input: { entries: [{ content: 'two', status: 'in_progress', priority: 'low' }] } },
    { name: 'ask_user', input: { question: 'Why?' } },
  ),
  fc.nat().map((n): Call => ({ name: 'write_file', input: { path: `new-${n}.txt`, content: String(n) } })),
);

const turn: fc.Arbitrary<TurnPlan> = fc.record({
  prompt: fc.constantFrom('hello', 'go on', '/help', '/cost', '/mine with care', '/plan it', '/compact', '/clear'),
  answers: fc.array(
    fc.record({
      thought: fc.constantFrom('', 'Hm.'),
      text: fc.constantFrom('', 'Well. '),
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  end: fc.constantFrom('text', 'text', 'text', 'cancel', 'refusal', 'cut', 'max_tokens', 'too_long', 'invalid'),
});

const WIRES: readonly { readonly wire: string; readonly envFor: (url: string) => Record<string, string> }[] = [
  {
    wire: 'openai-chat',
    envFor: (url) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'deepseek-fake' }),
  },
  {
    wire: 'openai-responses',
    envFor: (url) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_WIRE: 'openai-responses', PARLEY_MODEL: 'fake' }),
  },
  {
    wire: 'anthropic',
    envFor: (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url, PARLEY_MODEL: 'anthropic/fake' }),
  },
  {
    wire: 'gemini',
    envFor: (url) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url, PARLEY_MODEL: 'gemini/fake' }),
  },
];

let signatures = 0;

/** A fork is a conversation of its own. */
function cacheKeyOf({ body }: RecordedRequest): object {
  return 'prompt_cache_key' in body ? { prompt_cache_key: body.prompt_cache_key } : {};
}

describe('the history that is read back from the log', () => {
  it.each(WIRES)(
    'makes the request that the living session makes, byte for byte, whatever happened, on $wire',
    async ({ envFor }) => {
      const project = await makeProject({
        'a.txt': 'some text\n',
        'long.txt': 'a rather long line\n'.repeat(300),
        'inner/AGENTS.md': 'Call it a folder.',
        'inner/b.txt': 'b',
        'pixel.png': PIXEL,
        'paper.pdf': Buffer.from('%PDF-1.4 << /Type /Page >>'),
        'secret.txt': 'secret',
        '.parley/commands/mine.md': 'Do my thing with $ARGUMENTS, please.',
      });
      const { server } = await startModel();
      const connection = await startInProcess({
        agent: { env: envFor(server.url), permissions: { mode: 'acceptEdits', rules: ['deny Read(secret.txt)'] } },
        permissions: { ask: () => 'reject' },
      });
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { maxLength: 5 }), async (plans) => {
          const session = await connection.newSession({ cwd: project.path });
          for (const plan of plans) await play(session, server, plan);
          // A fork begins with nothing but the log.
          const fork = await connection.forkSession(session.id, { cwd: project.path });
          const live = await lastRequest(session, server);
          const read = await lastRequest(fork, server);
          expect(JSON.stringify(read.body)).toBe(JSON.stringify({ ...live.body, ...cacheKeyOf(read) }));
          await Promise.all([session.close(), fork.close()]);
        }),
        { numRuns: 20, seed: 8 },
      );
    },
    60_000,
  );
});

const ASKS_NOBODY = new Set(['/help', '/cost', '/clear']);

async function play(session: ClientSession, server: FakeModelServer, plan: TurnPlan): Promise<void> {
  if (ASKS_NOBODY.has(plan.prompt)) {
    await session.prompt(plan.prompt).result;
    return;
  }
  if (plan.prompt === '/compact') {
    server.add(SUMMARY);
    await session.prompt(plan.prompt).result;
    return;
  }
  server.add(
    ...plan.answers.flatMap(({ thought, text, calls }): readonly Reply[] => [
      {
        events: [
          ...(thought === '' ? [] : [{ type: 'thought' as const, text: thought, signature: `sig-${++signatures}` }]),
          ...(text === '' ? [] : [{ type: 'text' as const, text, phase: 'commentary' as const }]),
          ...calls.map((each): FakeEvent => ({ type: 'tool_call', ...each, signature: `sig-${++signatures}` })),
        ],
      },
      ...calls.flatMap(({ name }) => (name === 'task' ? inSubAgent() : [])),
    ]),
    ...BEFORE[plan.end],
    { events: [{ type: 'text', text: 'The end.' }, ...ENDS[plan.end]] },
    ...AFTER[plan.end],
  );
  const running = session.prompt(plan.prompt);
  for await (const event of ignoringErrors(running)) {
    if (plan.end === 'cancel' && event.type === 'text' && event.text.includes('The end.')) void running.cancel();
  }
  await running.result.catch(() => {});
  // What could neither be shortened nor repaired ended the turn before its last answers.
  server.clear();
  expect(session.transcript.mode?.currentModeId).toBe(plan.prompt === '/plan it' ? 'architect' : 'code');
  if (plan.prompt === '/plan it') await session.setMode('code');
}

const ENDS: Readonly<Record<TurnPlan['end'], readonly FakeEvent[]>> = {
  text: [],
  cancel: [{ type: 'stall' }],
  refusal: [{ type: 'stop', reason: 'refusal' }],
  cut: [{ type: 'cut' }],
  max_tokens: [{ type: 'stop', reason: 'max_tokens' }],
  too_long: [],
  invalid: [],
};

const SUMMARY: Reply = { events: [{ type: 'text', text: 'S' }], when: { contains: 'Summarize the conversation' } };

/** What the provider answers before the model does. */
const BEFORE: Readonly<Record<TurnPlan['end'], readonly Reply[]>> = {
  text: [],
  cancel: [],
  refusal: [],
  cut: [],
  max_tokens: [],
  too_long: [{ error: 'context_too_long' }, SUMMARY],
  invalid: [{ error: 'invalid_request', message: 'messages.1: this signature is odd' }],
};

/** What a sub-agent does is a conversation of its own. */
function inSubAgent(): readonly Reply[] {
  const when = { contains: SUB_WORK };
  const thought = { type: 'thought', text: 'Well.', signature: `sig-${++signatures}` } as const;
  return [
    { when, events: [thought, { type: 'tool_call', name: 'list_files', input: {} }] },
    { when, events: [thought, { type: 'text', text: 'There are files.' }] },
  ];
}

/** What the model says when it is asked to go on, or asked again. */
const AFTER: Readonly<Record<TurnPlan['end'], readonly Reply[]>> = {
  text: [],
  cancel: [],
  refusal: [],
  cut: ['The real end.'],
  too_long: [],
  invalid: [],
  max_tokens: [{ events: [{ type: 'thought', text: 'Nothing.' }] }, 'More of the end.'],
};

async function* ignoringErrors<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } catch {
    // The turn's result tells of it, too.
  }
}

async function lastRequest(session: ClientSession, server: FakeModelServer): Promise<RecordedRequest> {
  server.add('Done.');
  await session.prompt('and now?').result;
  const request = server.requests.at(-1);
  if (!request) throw new Error('The model was not asked.');
  return request;
}
