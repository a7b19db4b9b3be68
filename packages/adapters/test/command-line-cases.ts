import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildCommandLines,
  type CommandLines,
  FLOOD_PIECES,
  FORMATS,
  type FormatName,
  HUGE_CHARS,
  readCalls,
  SAID,
  THOUGHT,
  USAGE,
} from '@parley/testing/command-lines';
import { untilGone } from '@parley/testing/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Description } from '../src/index.ts';
import { withProgram } from './ready.ts';
import { Client, type Update, until } from './scene.ts';

export interface CasesOptions {
  readonly name: string;
  /** The program that is imitated. */
  readonly format: FormatName;
  readonly read: () => Promise<Description>;
  /** What the description is too small to say. */
  readonly lacks?: readonly ('thoughts' | 'tools' | 'usage' | 'errors' | 'wholeText')[];
}

/** What every described command line must do, well or badly as the program behaves. */
export function commandLineCases({ name, format, read, lacks = [] }: CasesOptions): void {
  const { hasAnswerInResult, hasResult, ask, shell } = FORMATS[format];
  let lines: CommandLines;
  let root: string;
  let description: Description;
  beforeAll(async () => {
    lines = await buildCommandLines();
    root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-cases-')));
    description = await read();
  });
  afterAll(async () => {
    await lines.remove();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  let count = 0;
  /** A session with the program, with a folder of its own. */
  async function open(changes: Partial<Description> = {}) {
    const folder = join(root, String(++count));
    mkdirSync(folder);
    const described = withProgram({ ...description, ...changes }, lines.command({ format, folder }));
    const client = await Client.connect(described, folder, {});
    const sessionId = await client.newSession();
    client.updates.length = 0;
    return {
      client,
      folder,
      prompt: (text: string) => client.prompt(sessionId, text),
      cancel: () => client.cancel(sessionId),
      text: () => client.texts().join('\n'),
      said: async (text: string) => {
        client.updates.length = 0;
        expect(await client.prompt(sessionId, text)).toMatchObject({ stopReason: 'end_turn' });
        return client.texts().join('\n');
      },
      [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
    };
  }

  /** Prompts, waits until it has said something, cancels, and waits for the end. */
  async function cancelAtWork(scene: Awaited<ReturnType<typeof open>>, prompt: string) {
    const turn = scene.prompt(prompt);
    await Promise.race([until(() => scene.text().includes(SAID.trim())), turn]);
    scene.cancel();
    return await turn;
  }

  // Much of this is waiting for programs that hang, so several wait at the same time.
  describe.concurrent(`${name} as described`, () => {
    it('tells a turn in order and each thing once, and goes on with the session', async () => {
      await using scene = await open();
      const { client } = scene;
      const prompt = `say $& $$ {{output}} {{prompt}} "quoted" 'é漢🙂' \\n`;
      const result = await scene.prompt(prompt);
      expect(result).toMatchObject({ stopReason: 'end_turn' });
      if (!lacks.includes('wholeText')) {
        const [first = '', second = '', ...more] = client.texts();
        expect([first.trim(), second, more]).toEqual([SAID.trim(), `Turn 1: ${prompt}`, []]);
      }
      expect(scene.text()).toContain(`Turn 1: ${prompt}`);
      if (FORMATS[format].thought(FAKE_TURN, '').length > 0 && !lacks.includes('thoughts')) {
        expect(client.texts('agent_thought_chunk')).toEqual([THOUGHT]);
      }
      if (!lacks.includes('tools')) expect(shellCallOf(client.updates)).toMatchObject({ status: 'completed' });
      if (!lacks.includes('usage')) {
        expect(result).toMatchObject({ usage: { inputTokens: USAGE.input, outputTokens: USAGE.output } });
      }
      expect(readCalls(scene.folder)[0]).toMatchObject({ cwd: scene.folder });
      const next = await scene.said('and now?');
      expect(next).toContain('and now?');
      if (description.sessionMode !== 'iterative') expect(next).toContain('Turn 2: and now?');
    });

    it('fails in words when it dies, says nothing, has only complaints, or could not do it', async () => {
      await using scene = await open();
      await expect(scene.prompt('do:dies')).rejects.toThrow(/out of memory/);
      if (!lacks.includes('tools') && format !== 'opencode') {
        expect(shellCallOf(scene.client.updates)).toMatchObject({ status: 'failed' });
      }
      await expect(scene.prompt('do:stderrOnly')).rejects.toThrow(/no API key found/);
      await expect(scene.prompt('do:saysNothing')).rejects.toThrow(/ended without an answer/);
      if (!lacks.includes('errors')) await expect(scene.prompt('do:fails')).rejects.toThrow(/model is overloaded/);
      expect(await scene.said('now do:well')).toContain('now do:well');
    });

    it('is cancelled when it hangs, ignores signals or has children, and the session goes on', async () => {
      await using scene = await open();
      expect(await cancelAtWork(scene, 'do:hangs')).toMatchObject({ stopReason: 'cancelled' });
      expect(await scene.said('first do:well')).toContain('first do:well');
      scene.client.updates.length = 0;
      expect(await cancelAtWork(scene, 'do:ignoresTerm')).toMatchObject({ stopReason: 'cancelled' });
      expect(await scene.said('second do:well')).toContain('second do:well');
      scene.client.updates.length = 0;
      expect(await cancelAtWork(scene, 'do:leavesChildren')).toMatchObject({ stopReason: 'cancelled' });
      await scene.client.connection.close();
      const left = readCalls(scene.folder).flatMap(({ pid, child }) => pid ?? child ?? []);
      await untilGone(left, 20_000);
    });

    it('reads past what is no JSON, a last line without an end, and lines that come in pieces', async () => {
      await using scene = await open();
      for (const behaviour of ['wrongJson', 'halfLine', 'splitsBytes']) {
        const prompt = `é漢🙂 do:${behaviour}`;
        const said = await scene.said(prompt);
        expect(said).toContain(SAID.trim());
        expect(said.split(prompt)).toHaveLength(2);
      }
    });

    it('tells a result once: without one, with two, with nothing before it, and with a bad exit after it', async () => {
      await using scene = await open();
      expect(await scene.said('do:noResult')).toContain('Turn 1: do:noResult');
      expect((await scene.said('do:twoResults')).split('do:twoResults')).toHaveLength(2);
      if (hasAnswerInResult) expect(await scene.said('do:resultOnly')).toContain('do:resultOnly');
      else if (hasResult) expect(await scene.said('do:resultOnly')).not.toContain('do:resultOnly');
      else await expect(scene.prompt('do:resultOnly')).rejects.toThrow(/ended without an answer/);
      if (hasResult) expect(await scene.said('do:exitsAfterResult')).toContain('do:exitsAfterResult');
      else await expect(scene.prompt('do:exitsAfterResult')).rejects.toThrow(/exited with code 1/);
      expect(await scene.said('now do:well')).toContain('now do:well');
    });

    it('does not wait for ever for one that lingers after its result', async () => {
      if (!hasResult || description.sessionMode === 'persistent') return;
      await using scene = await open();
      expect(await scene.said('do:lingersAfterResult')).toContain('do:lingersAfterResult');
      await untilGone(
        readCalls(scene.folder).flatMap(({ pid }) => pid ?? []),
        20_000,
      );
    });

    it('keeps up with a flood, and takes a huge line whole', async () => {
      await using scene = await open();
      const flood = await scene.said('do:floods');
      expect(flood.split('word').length - 1).toBe(FLOOD_PIECES);
      const huge = await scene.said('do:hugeLine');
      expect(huge.match(/x{100,}/)?.[0]).toHaveLength(HUGE_CHARS);
      expect(huge.length).toBeLessThan(HUGE_CHARS + 1000);
    });

    it('passes on its questions and the answers to them', async () => {
      const canAsk = description.outputEvents?.some(({ emitAs }) => emitAs === 'permission');
      expect(canAsk ?? false).toBe(canAsk === true && ask !== undefined);
      await using scene = await open();
      if (!canAsk) return void expect(await scene.said('do:asks')).toContain('do:asks');
      const { client } = scene;
      const choose = (optionId: string) => () => ({ outcome: { outcome: 'selected', optionId } });
      client.answer = choose('allow_once');
      await scene.said('do:asks');
      expect(shellCallOf(client.updates)).toMatchObject({ status: 'completed' });
      expect(client.questions[0]).toMatchObject({ toolCall: { rawInput: { command: 'echo made' } } });
      client.answer = choose('reject_once');
      await scene.said('again do:asks');
      expect(shellCallOf(client.updates)).toMatchObject({ status: 'failed' });
      // Nobody answers: the turn is cancelled while it is asked.
      client.answer = () => new Promise(() => {});
      const asked = client.questions.length;
      const turn = scene.prompt('once more do:asks');
      await until(() => client.questions.length > asked);
      scene.cancel();
      expect(await turn).toMatchObject({ stopReason: 'cancelled' });
      client.answer = choose('allow_once');
      expect(await scene.said('and now do:asks')).toContain('and now do:asks');
    });
  });

  /** The calls of its shell, folded; there must be one, under one id. */
  function shellCallOf(updates: readonly Update[]): object {
    const calls = updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size, `calls of ${shell}`).toBe(1);
    return Object.assign({}, ...calls) as object;
  }
}

const FAKE_TURN = { sessionId: '', prompt: '', number: 1, cwd: '', hasPieces: false, newId: () => '' };
