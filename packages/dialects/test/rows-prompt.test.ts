import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { type Border, openBorder } from './border.ts';

const prompt = { jsonrpc: '2.0', id: 5, method: 'session/prompt', params: { sessionId: 's', prompt: [] } };
const cancel = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } };
const say = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const textsOf = (messages: unknown[]) => messages.slice(0, -1).map((message) => textOf(message));
const textOf = (message: unknown) =>
  (message as { params: { update: { content: { text: string } } } }).params.update.content.text;

/** Our client asks, a harness agent streams and answers. */
function harnessTurn(streamed: string[], content: unknown[], border: Border = openBorder('harness')): unknown[] {
  border.write(prompt);
  for (const text of streamed) border.readUpdate(say(text));
  return border.read({ jsonrpc: '2.0', id: 5, result: { content } });
}

const text = (value: string) => ({ type: 'text', text: value });

describe('prompts and their results', () => {
  it('D47 says what a harness agent answers, once, and ends the turn', () => {
    expect(textsOf(harnessTurn([], [text('One'), text('Two')]))).toEqual(['One', 'Two']);
    expect(textsOf(harnessTurn(['One', 'Two'], [text('OneTwo')]))).toEqual([]);
    expect(textsOf(harnessTurn(['On'], [text('One'), text('Two')]))).toEqual(['e', 'Two']);
    expect(textsOf(harnessTurn(['Let me look. ', 'Done.'], [text('Done.')]))).toEqual([]);
    expect(textsOf(harnessTurn(['Quite'], [text('Different')]))).toEqual(['Different']);
    const messages = harnessTurn(
      [],
      [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'x' } }],
    );
    expect(messages[0]).toMatchObject({ params: { update: { content: { type: 'image', mimeType: 'image/png' } } } });
    expect(v1.parseResult('session/prompt', (messages[1] as { result: unknown }).result).stopReason).toBe('end_turn');
  });

  it('D47 repeats what our agent said in its answer to a harness client, with the stop reason added', () => {
    const border = openBorder('harness');
    border.read(prompt);
    for (const update of [
      say('On'),
      say('e'),
      { ...say(''), content: { type: 'image', data: 'x', mimeType: 'image/png' } },
      say('Two'),
    ]) {
      border.writeUpdate(update);
    }
    expect(border.write({ jsonrpc: '2.0', id: 5, result: { stopReason: 'max_tokens' } })).toEqual([
      {
        jsonrpc: '2.0',
        id: 5,
        result: {
          content: [
            text('One'),
            { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'x' } },
            text('Two'),
          ],
          stopReason: 'max_tokens',
        },
      },
    ]);
  });

  it('D48 takes an error for a cancelled turn only after a cancellation', () => {
    const failed = { jsonrpc: '2.0', id: 5, error: { code: -32800, message: 'Request cancelled' } };
    const border = openBorder('harness');
    border.write(prompt);
    border.write(cancel);
    expect(border.read(failed)).toMatchObject([{ id: 5, result: { stopReason: 'cancelled' } }]);
    border.write(prompt);
    expect(border.read(failed)).toMatchObject([{ id: 5, error: { code: -32800 } }]);
  });

  it('D48 tells a harness client of a cancelled turn as configured', () => {
    const answerOf = (cancelledPrompt: 'result' | 'error'): unknown => {
      const border = openBorder('harness', { cancelledPrompt });
      border.read(prompt);
      border.writeUpdate(say('I was ab'));
      border.read(cancel);
      return border.write({ jsonrpc: '2.0', id: 5, result: { stopReason: 'cancelled' } })[0];
    };
    expect(answerOf('result')).toMatchObject({ result: { content: [text('I was ab')], stopReason: 'cancelled' } });
    expect(answerOf('error')).toMatchObject({ error: { code: -32800 } });
  });

  it('D49 takes the messages of a go result only when nothing was streamed', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [text('One')] },
      { role: 'assistant', content: 'Two' },
    ];
    const result = { sessionId: 's', messages, stopReason: 'end_turn' };
    const silent = openBorder('go');
    silent.write(prompt);
    expect(textsOf(silent.read({ jsonrpc: '2.0', id: 5, result }))).toEqual(['One', 'Two']);
    const streaming = openBorder('go');
    streaming.write(prompt);
    streaming.readUpdate(say('One'));
    const [answer, ...more] = streaming.read({ jsonrpc: '2.0', id: 5, result });
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(streaming.writeResult('session/prompt', (answer as { result: unknown }).result)).toEqual(result);
    expect(streaming.writeResult('session/prompt', { stopReason: 'refusal' })).toEqual({
      sessionId: 's',
      stopReason: 'refusal',
    });
    streaming.write(prompt);
    streaming.read({ jsonrpc: '2.0', id: 5, result: { ...result, sessionId: 'other' } });
    expect(streaming.notes.map(({ row }) => row)).toEqual(['D49']);
  });

  it.each(['go', 'pharo'] as const)('D50 says max_tokens where %s has no word for max_turn_requests', (dialect) => {
    const border = openBorder(dialect);
    const written = border.writeResult('session/prompt', { stopReason: 'max_turn_requests' });
    expect(written).toMatchObject({ stopReason: 'max_tokens' });
    expect(border.readResult('session/prompt', written)).toEqual({ stopReason: 'max_turn_requests' });
  });

  it('D51 believes an elephant agent that cancelled by itself', () => {
    expect(openBorder('elephant').readResult('session/prompt', { stopReason: 'cancelled' })).toEqual({
      stopReason: 'cancelled',
    });
  });

  it.each(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'])(
    'D52 has the stop reason %s in overview as in ACP',
    (stopReason) => {
      const border = openBorder('overview');
      expect(border.writeResult('session/prompt', { stopReason })).toEqual({ stopReason });
      expect(border.readResult('session/prompt', { stopReason })).toEqual({ stopReason });
    },
  );

  it('D53 reads messages without the version of JSON-RPC, and always writes it', () => {
    const border = openBorder('pharo');
    const bare = { method: 'session/update', params: { sessionId: 's', update: say('Hi') } };
    expect(border.read(bare)).toEqual([{ jsonrpc: '2.0', ...bare }]);
    expect(border.write({ jsonrpc: '2.0', ...bare })[0]).toHaveProperty('jsonrpc', '2.0');
    expect(border.read({ jsonrpc: '1.0', ...bare })).toMatchObject([{ jsonrpc: '1.0' }]);
  });
});
