import { Buffer } from 'node:buffer';
import type { Transport } from '@parley/jsonrpc';
import { describe, expect, it } from 'vitest';
import { collectWrongVerdicts, summarise } from './byte-transport-cases.ts';
import { JSON_CASES } from './json-cases.ts';
import { createOpener, type OpenPair } from './open-pair.ts';
import { Recorder } from './recorder.ts';

/** What a transport whose wire carries whole texts, such as WebSocket frames, must do with texts that no proper peer would send. */
export function textTransportCases(name: string, openPair: OpenPair): void {
  describe(name, () => {
    const open = createOpener(openPair);

    async function openTexts(): Promise<{ near: Transport; write: (text: string) => void }> {
      const { near, writeRaw } = await open();
      if (!writeRaw) throw new Error('A wire of texts needs writeRaw.');
      return { near, write: (text) => writeRaw(Buffer.from(text)) };
    }

    it('reports what is not JSON in its place, and lives on', async () => {
      const { near, write } = await openTexts();
      const atNear = new Recorder(near);
      for (const text of ['{"n":1}', '{"n":', '', '{"n":2}', '{]', '{"n":3}']) write(text);
      await atNear.messages(3);
      expect(atNear.deliveries.map(summarise)).toEqual([
        '{"n":1}',
        'invalid_json 5',
        'invalid_json 0',
        '{"n":2}',
        'invalid_json 2',
        '{"n":3}',
      ]);
    });

    it('never repeats the input in a fault', async () => {
      const { near, write } = await openTexts();
      const atNear = new Recorder(near);
      write('{"token": hunter2}');
      await atNear.until(() => atNear.faults.length === 1);
      expect(JSON.stringify(atNear.faults)).not.toContain('hunter2');
    });

    it('refuses a message nested a hundred thousand levels deep, and reads the next', async () => {
      const { near, write } = await openTexts();
      const atNear = new Recorder(near);
      write(`{"n":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
      write('{"n":1}');
      await atNear.messages(1);
      expect(atNear.deliveries.map(summarise)).toEqual(['message_too_large 200006', '{"n":1}']);
    });

    it('gives the right verdict on all of JSONTestSuite', async () => {
      const { near, write } = await openTexts();
      const frame = (bytes: Uint8Array) => bytes;
      const pair = { near, write: (bytes: Uint8Array) => write(Buffer.from(bytes).toString()) };
      expect(JSON_CASES).toHaveLength(318);
      expect(await collectWrongVerdicts(pair, { frame, endsFramesAtNewline: false }, JSON_CASES)).toEqual([]);
    });
  });
}
