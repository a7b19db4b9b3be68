import { RpcError } from '@parley/jsonrpc';
import { describe, expect, it } from 'vitest';
import { explainError } from './explain-error.ts';

const told = (message: string, data: unknown): string =>
  explainError(new RpcError(-32603, message, data), { agent: 'mine' }).message;

describe('an error of an agent', () => {
  it('is told with what its data says besides', () => {
    expect(told('Internal error', { details: 'The disk is gone.' })).toBe(
      'mine answered with an error: Internal error: The disk is gone.',
    );
    expect(told('Internal error', { reason: 'store_full' })).toContain('store_full');
  });

  it('is the sentence alone where our own agent tells why its model did not answer', () => {
    const message = 'Nothing listens at http://127.0.0.1:11434, where qwen3 should be.';
    const error = new RpcError(-32603, message, { kind: 'network' });
    expect(explainError(error, { agent: 'parley', sent: 'session/prompt (id 3)' })).toMatchObject({
      exit: 'failed',
      message,
      next: ['parley models', 'parley doctor parley'],
    });
  });

  it('is told without the code of what it says already', () => {
    const message = 'The session could not be saved: the disk is full.';
    expect(told(message, { reason: 'store_full' })).toBe(`mine answered with an error: ${message}`);
  });

  it('that cannot keep anything names another place to keep it', () => {
    const error = new RpcError(-32603, 'The session store cannot be opened.', { reason: 'store_unavailable' });
    expect(explainError(error, { agent: 'parley' }).next.join('\n')).toContain('XDG_STATE_HOME');
  });
});

describe('an error of this process', () => {
  it('names the limit of open files, whatever the file was for', () => {
    const sentence = 'Too many files are open; allow more with: ulimit -n 1024';
    const cause = Object.assign(new Error("EMFILE: too many open files, open 'a.json'"), { code: 'EMFILE' });
    const unreadable = Object.assign(new Error('Cannot read package config /a/package.json: too many open files.'), {
      code: 'ERR_INVALID_PACKAGE_CONFIG',
    });
    for (const error of [cause, new Error('Cannot read the description a.json', { cause }), unreadable]) {
      expect(explainError(error)).toMatchObject({ exit: 'failed', message: sentence });
    }
  });
});
