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

  it('or a server that is spoken to in another way, or a host and a port', () => {
    expect(parseAddress('https+sse://example.com')).toEqual({ kind: 'sse', url: 'https://example.com' });
    expect(parseAddress('http+post://[::1]:7700')).toEqual({ kind: 'post', url: 'http://[::1]:7700/acp/post' });
    expect(parseAddress('HTTP+POST://h/x')).toEqual({ kind: 'post', url: 'http://h/x' });
    for (const place of ['localhost:7700', '[::1]:7700', 'my-host.example:80'])
      expect(parseAddress(place)).toEqual({ kind: 'http', url: `http://${place}/acp` });
    for (const command of ['agent:x', 'agent:1 --acp', './agent:1', 'C:7x'])
      expect(parseAddress(command)).toMatchObject({ kind: 'command' });
  });

  it('that makes no sense is refused with the reason', () => {
    expect(() => parseAddress('  ')).toThrow(/No agent given/);
    expect(() => parseAddress('ftp://x')).toThrow(/"ftp:".*wss:\/\/.*https:\/\/.*http\+sse:\/\/.*host:port/);
    expect(() => parseAddress('wws://x')).toThrow(/"wws:"/);
    expect(() => parseAddress('ws:/x')).toThrow(/ws:\/\/host\/acp/);
    expect(() => parseAddress('wss://me:secret@x/acp')).toThrow(/user or a password/);
    expect(() => parseAddress('wss://me:secret@x/acp')).not.toThrow(/secret@/);
    expect(() => parseAddress('http://')).toThrow(/not a valid URL/);
    expect(() => parseAddress('node "x')).toThrow(/never closed/);
  });

  it('is written so that it could be typed again, without passwords', () => {
    const text = `node 'my agent.js' --x=1 'it'\\''s'`;
    expect(formatAddress(parseAddress(text))).toBe(text);
    expect(formatAddress({ kind: 'http', url: 'https://user:pass@example.com/acp' })).toBe('https://example.com/acp');
    expect(formatAddress(parseAddress('https+sse://example.com/acp?token=x#y'))).toBe('https+sse://example.com/acp');
  });
});
