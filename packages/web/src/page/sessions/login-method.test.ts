import type { AuthMethod } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { describeLogin } from './login-method.ts';

describe('a way to log in', () => {
  it('is a button where the agent carries it out, and a command to type where it cannot be done in a page', () => {
    expect(describeLogin({ id: 'oauth', name: 'Browser', description: 'Opens a page' })).toEqual({
      id: 'oauth',
      name: 'Browser',
      description: 'Opens a page',
      isHere: true,
    });
    const variables = { id: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'A_KEY' }, { name: 'B' }] };
    expect(describeLogin(variables as AuthMethod)).toMatchObject({
      isHere: false,
      command: 'export A_KEY=…\nexport B=…',
    });
    const terminal = { id: 't', name: 'T', _meta: { 'terminal-auth': { command: 'gemini', args: ['login'] } } };
    expect(describeLogin(terminal)).toMatchObject({ isHere: false, command: 'gemini login' });
    expect(describeLogin({ id: 't', name: 'T', type: 'terminal' } as AuthMethod)).toMatchObject({ isHere: false });
  });
});
