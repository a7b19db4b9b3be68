import { describe, expect, it } from 'vitest';
import { collectAnswer } from '../model/answer.ts';
import { ModelError } from '../model/errors.ts';
import { textOf } from '../model/history.ts';
import type { Model } from '../model/model.ts';
import { createOfflineModel } from '../offline/offline-model.ts';
import { withoutRefused } from './without-refused.ts';

const hello = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] } as const;

describe('a model without what its server refuses', () => {
  it('asks again for each of several requests that were under way', async () => {
    let hasColour = true;
    const asked: boolean[] = [];
    let release = (): void => {};
    const bothSent = new Promise<void>((resolve) => {
      release = resolve;
    });
    const strict: Model = {
      ...createOfflineModel(),
      async *stream() {
        const sent = hasColour;
        if (asked.push(sent) === 2) release();
        await bothSent;
        if (sent) throw new ModelError('invalid_request', 'Unknown field: colour');
        yield { type: 'text', text: 'fine' };
        yield { type: 'stop', reason: 'end_turn' };
      },
    };
    const leaveOut = (): void => {
      hasColour = false;
    };
    const model = withoutRefused(strict, { refusal: /colour/, leaveOut });
    const answers = await Promise.all([collectAnswer(model.stream(hello)), collectAnswer(model.stream(hello))]);
    expect(answers.map(({ content }) => textOf(content))).toEqual(['fine', 'fine']);
    expect(asked).toEqual([true, true, false, false]);
  });
});
