import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormatName } from '@parley/testing/command-lines';
import { afterAll, describe, expect, it } from 'vitest';
import { READY, readReady, sampleOf, withProgram } from './ready.ts';
import { Client, type Update } from './scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a sample whatever it is told, and its arguments to a file. */
const REPLAY = join(folder, 'replay.mjs');
writeFileSync(
  REPLAY,
  `import { appendFileSync, readFileSync } from 'node:fs';
   const [sample, calls, ...words] = process.argv.slice(2);
   appendFileSync(calls, JSON.stringify(words) + '\\n');
   process.stdout.write(readFileSync(sample));`,
);

interface Expected {
  /** The id of the command's own session, as later turns name it. */
  readonly session: string | RegExp;
  readonly thoughts?: readonly string[];
  readonly tokens?: { readonly input: number; readonly output: number } | undefined;
  readonly tool?: object;
  readonly questions?: number;
}

const TOKENS = { input: 220, output: 21 };
const COMMAND = 'echo done-by-agent > made-by-agent.txt; echo made';

const EXPECTED: Readonly<Record<FormatName, Expected>> = {
  claude: { session: '87ad962f-96d5-4852-80ef-af3d13d53a7b', tokens: TOKENS, questions: 1 },
  codex: {
    session: '01a1e827-51b1-7743-879c-a5bce3cf8b22',
    tokens: TOKENS,
    tool: { title: `/bin/bash -lc '${COMMAND}'` },
  },
  gemini: { session: '5c7437f5-ab6e-4cec-aaaa-f4dbd9f3340e', thoughts: [], tokens: TOKENS },
  opencode: { session: /^ses_\w+$/, tokens: TOKENS },
  qwen: { session: 'cd91c2dd-fb04-4a48-a0f4-b45d31ba1566', tokens: TOKENS, questions: 1 },
  kimi: { session: 'session_5900c77c-dea4-4ae1-876d-81aff3c2fc5f', thoughts: [] },
  copilot: { session: '4ccc8c79-0789-47ff-aa3e-24e1ecf96cf6' },
  amp: { session: 'T-2775dc92-90ed-4f85-8b73-8f9766029e83', tool: { title: 'echo made' } },
  droid: { session: 'afec2cfd-4d63-4d34-8a8c-7e8f82cc0b60', tokens: TOKENS },
  goose: { session: /^[\w-]{36}$/, tokens: TOKENS, tool: { title: 'echo made' } },
};

it('has a sample and an expectation for every description', () => {
  expect(READY.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  for (const name of READY) for (const line of linesOf(name)) expect(JSON.parse(line)).toBeTypeOf('object');
});

describe.each(READY)('the sample of %s', (name) => {
  it('is told as text, thoughts and a tool call from its start to its end, each once', async () => {
    const {
      session,
      thoughts = ['I need the shell.'],
      tokens,
      tool = { title: COMMAND },
      questions = 0,
    } = EXPECTED[name];
    const calls = join(folder, `${name}.calls`);
    appendFileSync(calls, '');
    const description = withProgram(await readReady(name), [process.execPath, REPLAY, sampleOf(name), calls]);
    await using client = await Client.connect(description, folder, {});
    const sessionId = await client.newSession();
    client.updates.length = 0;
    const result = await client.prompt(sessionId, 'Run the command.');
    expect(result).toMatchObject({ stopReason: 'end_turn' });
    expect(tokensOf(result)).toEqual(tokens);
    expect(client.texts()).toEqual(['I will run it.', 'The command has run.']);
    expect(client.texts('agent_thought_chunk')).toEqual(thoughts);
    expect(client.questions).toHaveLength(questions);
    const [started, ...later] = callsOf(client.updates);
    expect(started).toMatchObject({ sessionUpdate: 'tool_call', kind: 'execute', ...tool });
    expect(later.every(({ toolCallId }) => toolCallId === started?.toolCallId)).toBe(true);
    const whole = Object.assign({}, started, ...later);
    expect(whole).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(whole.content)).toContain('made');

    await client.prompt(sessionId, 'Again.');
    const [first, second] = readFileSync(calls, 'utf8').trimEnd().split('\n');
    const idOf = (words = '[]') => (JSON.parse(words) as string[]).find((word) => matches(word, session));
    expect(idOf(second)).toBeDefined();
    // Goose is told the id of a new session; the others tell it.
    expect(idOf(first)).toBe(name === 'goose' ? idOf(second) : undefined);
  });
});

function linesOf(name: string): readonly string[] {
  return readFileSync(sampleOf(name), 'utf8').trimEnd().split('\n');
}

function matches(word: string, expected: string | RegExp): boolean {
  return typeof expected === 'string' ? word === expected : expected.test(word);
}

function callsOf(updates: readonly Update[]): readonly Update[] {
  return updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
}

function tokensOf(result: object): Expected['tokens'] {
  const { usage } = result as { readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } };
  return usage && { input: usage.inputTokens, output: usage.outputTokens };
}
