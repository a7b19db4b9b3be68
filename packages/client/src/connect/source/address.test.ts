import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

describe('an address', () => {
  it('is a command line, read like a shell would, without expanding anything', () => {
    expect(parseAddress('gemini --acp')).toEqual({ kind: 'command', command: 'gemini', args: ['--acp'] });
    expect(parseAddress(` node  "my agent.js" 'a "b" $HOME' c\\ d "" `)).toEqual({
      kind: 'command',
      command: 'node',
      args: ['my agent.js', 'a "b" $HOME', 'c d', ''],
    });
  });

  it('or a server', () => {
    expect(parseAddress('wss://example.com/acp')).toEqual({ kind: 'websocket', url: 'wss://example.com/acp' });
    expect(parseAddress('http://localhost:9000')).toEqual({ kind: 'http', url: 'http://localhost:9000' });
  });

  it('that makes no sense is refused with the reason', () => {
    expect(() => parseAddress('  ')).toThrow(/No agent given/);
    expect(() => parseAddress('ftp://x')).toThrow(/"ftp:"/);
    expect(() => parseAddress('http://')).toThrow(/not a valid URL/);
    expect(() => parseAddress('node "x')).toThrow(/never closed/);
  });

  it('is written so that it could be typed again, without passwords', () => {
    const text = `node 'my agent.js' --x=1 'it'\\''s'`;
    expect(formatAddress(parseAddress(text))).toBe(text);
    expect(formatAddress({ kind: 'http', url: 'https://user:pass@example.com/acp' })).toBe('https://example.com/acp');
  });
});
