import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.ts';
import { failureOf } from '../support/scripted.ts';
import { ask, useServing } from '../support/serving.ts';

const serving = useServing();

describe('plain options', () => {
  it('need a source that brings files and processes', async () => {
    const [near] = createMemoryPair();
    expect(await failureOf(connect(near, { workspace: {} }))).toMatchObject({ code: 'not_available' });
    expect(await failureOf(connect(near, { terminals: true }))).toMatchObject({ code: 'not_available' });
  });
});

describe('extensions', () => {
  it('answer requests that ACP does not know, and hear notifications, several one of them', async () => {
    const heard: unknown[] = [];
    const { answers } = await serving.answersTo(
      [
        ask('_parley/add', { a: 1, b: 2 }),
        { do: 'notify', method: '_parley/hello', params: { x: 1 } },
        ask('_parley/fail', {}),
        ask('constructor', {}),
      ],
      {
        extensions: {
          requests: {
            '_parley/add': (params) => (params as { a: number }).a + (params as { b: number }).b,
            '_parley/fail': () => {
              throw new Error('secret detail');
            },
          },
          notifications: {
            '_parley/hello': [(params) => heard.push(params), () => heard.push('again')],
            '_parley/other': () => heard.push('never'),
          },
        },
      },
    );
    expect(answers).toMatchObject([
      { result: 3 },
      { error: { code: -32603, message: 'Internal error' } },
      { error: { code: -32601 } },
    ]);
    expect(heard).toEqual([{ x: 1 }, 'again']);
  });
});
