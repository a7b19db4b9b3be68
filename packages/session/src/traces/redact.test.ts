import { describe, expect, it } from 'vitest';
import { REDACTED, redact, redactText } from './redact.ts';

/** Twenty secrets in the places where they really travel. None may be left in a trace. */
const CANARIES: readonly (readonly [secret: string, message: unknown])[] = [
  [
    'canary-env-01',
    {
      params: {
        mcpServers: [{ name: 'x', command: '/x', args: [], env: [{ name: 'DATABASE_URL', value: 'canary-env-01' }] }],
      },
    },
  ],
  [
    'canary-header-02',
    {
      params: {
        mcpServers: [
          { type: 'http', name: 'x', url: 'https://x', headers: [{ name: 'X-Custom', value: 'canary-header-02' }] },
        ],
      },
    },
  ],
  ['canary-map-03', { env: { ANYTHING: 'canary-map-03' } }],
  ['canary-map-04', { headers: { Accept: 'canary-map-04' } }],
  ['canary-key-05', { apiKey: 'canary-key-05' }],
  ['canary-key-06', { config: { api_key: 'canary-key-06' } }],
  ['canary-token-07', { access_token: 'canary-token-07' }],
  ['canary-token-08', { refreshToken: 'canary-token-08' }],
  ['canary-password-09', { user: { password: 'canary-password-09' } }],
  ['canary-secret-10', { clientSecret: 'canary-secret-10' }],
  ['canary.bearer.11', { text: 'curl -H "Authorization: Bearer canary.bearer.11"' }],
  ['c2FuYXJ5LWJhc2ljLTEy', { text: 'Authorization: Basic c2FuYXJ5LWJhc2ljLTEy' }],
  ['sk-canary13canary13canary13', { text: 'my key is sk-canary13canary13canary13, keep it' }],
  [
    'ghp_canary14canary14canary14',
    { content: [{ type: 'text', text: 'git push https://ghp_canary14canary14canary14@github.com' }] },
  ],
  ['AKIACANARY15CANARY15', { rawInput: { command: 'aws configure set key AKIACANARY15CANARY15' } }],
  ['eyJjYW5hcnkxNiI6MX0.eyJjYW5hcnkxNiI6MX0.canary16', { text: 'eyJjYW5hcnkxNiI6MX0.eyJjYW5hcnkxNiI6MX0.canary16' }],
  ['canary-pass-17', { url: 'postgres://user:canary-pass-17@localhost/db' }],
  ['canary-query-18', { url: 'https://example.com/x?a=1&access_token=canary-query-18#y' }],
  ['canary-export-19', { command: 'export OPENAI_API_KEY=canary-export-19 && run' }],
  [
    'canaryPrivateKey20',
    { text: '-----BEGIN RSA PRIVATE KEY-----\ncanaryPrivateKey20\n-----END RSA PRIVATE KEY-----' },
  ],
  ['canary-cookie-21', { setCookie: 1, cookie: 'canary-cookie-21' }],
  [
    'canary-flag-23',
    { params: { mcpServers: [{ name: 'x', command: '/x', args: ['--token=canary-flag-23'], env: [] }] } },
  ],
  ['canary-flag-24', { args: ['--verbose', '--api-key', 'canary-flag-24', 'file'] }],
  ['canary-flag-25', { args: ['--db-password', 'canary-flag-25'] }],
  ['canary-line-26', { command: 'tool --client-secret canary-line-26 --verbose' }],
  ['canary-line-27', { command: 'mysql -u root -pcanary-line-27 shop' }],
  ['canary-json-28', { text: 'it answered {"client_secret":"canary-json-28","x":1}' }],
  ['canary-json-29', { text: JSON.stringify({ body: JSON.stringify({ access_token: 'canary-json-29' }) }) }],
  ['canary-export-30', { text: 'export TOKEN=canary-export-30' }],
  ['canary-plain-31', { text: 'use password=canary-plain-31 for the test' }],
  ['canary-cookie-32', { text: 'GET / HTTP/1.1\nCookie: session=canary-cookie-32; theme=dark\nHost: x' }],
  ['canarycookie34', { cookies: ['canarycookie34', 'theme=dark'] }],
  ['canarycookie35', { cookies: { theme: 'canarycookie35' } }],
  ['canarycookie36', { cookies: [{ name: 'theme', value: 'canarycookie36' }] }],
  ['canarycookie37', { text: 'curl --cookie canarycookie37 https://x' }],
  ['canarycookie38', { text: 'it set session=canarycookie38; path=/' }],
  ['canarycookie39', { text: 'connect.sid=canarycookie39 and PHPSESSID=canarycookie39' }],
  ['canarycookie40', { setCookie: 'canarycookie40', 'set-cookie': ['canarycookie40'] }],
  ['canarycookie41', { text: '{"cookie":"canarycookie41"}' }],
  ['canary-quoted-33', { text: `DB_PASSWORD="canary-quoted-33 with blanks" npm start` }],
  ['canary-known-22', { text: 'nothing says that canary-known-22 is one' }],
];

describe('redaction', () => {
  it.each(CANARIES)('removes %s', (secret, message) => {
    const text = JSON.stringify(redact(message, { secrets: ['canary-known-22'] }));
    expect(text).not.toContain(secret);
    expect(text).toContain('redacted');
  });

  it('finds a secret in a text of megabytes, at any place', () => {
    const text = `${'word '.repeat(200_000)}token Bearer abcdefghijklmnop ${'word '.repeat(1000)}`;
    expect(JSON.stringify(redact({ text }))).not.toContain('abcdefghijklmnop');
  });

  it.each([
    ['letters', 'x'],
    ['capitals', 'A'],
    ['a word of secrets', 'token-'],
    ['flags', '--a-'],
    ['quotes', '"token":'],
    ['a scheme', 'a://a:'],
    ['backslashes', '\\\\'],
    ['assignments', 'KEY'],
  ])('takes no longer for a megabyte of %s than for a megabyte of text', (_what, piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(redactText(text).length).toBeGreaterThan(0);
  });

  it('leaves code that speaks of secrets as it is', () => {
    const code = 'const token: string = readToken(); if (password === secret) return { password, token: next };';
    expect(redactText(code)).toBe(code);
  });

  it('leaves everything else as it is, and the message itself untouched', () => {
    const message = {
      jsonrpc: '2.0',
      id: 3,
      method: 'session/prompt',
      params: {
        sessionId: 's1',
        prompt: [
          { type: 'text', text: 'What does the token parser in src/keys.ts do? See https://example.com/a?page=2' },
        ],
        maxTokens: 100,
        inputTokens: 7,
        reasoningOutputTokens: 3,
        isSecret: true,
        list: [1, null, false],
      },
    };
    const copy = JSON.parse(JSON.stringify(message));
    expect(redact(message)).toEqual(copy);
    expect(message).toEqual(copy);
    expect(redact({ env: [{ name: 'PATH', value: '/bin' }] })).toEqual({ env: [{ name: 'PATH', value: REDACTED }] });
  });

  it('ends on values of any depth', () => {
    let deep: unknown = 'sk-aaaaaaaaaaaaaaaaaaaa';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(JSON.stringify(redact(deep))).not.toContain('aaaa');
  });
});
