import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AllowedHost,
  formatAllowedHost,
  type HostTarget,
  isAllowedHost,
  parseAllowedHost,
  parseHostTarget,
} from './allowed-host.ts';

function allows(entry: string, target: string): boolean {
  return isAllowedHost([read(entry)], parseHostTarget(target) as HostTarget);
}

function read(entry: string): AllowedHost {
  const host = parseAllowedHost(entry);
  if (typeof host === 'string') throw new Error(host);
  return host;
}

/** Labels that stay as they are: no punycode, and not a number, which would make an address of the name. */
const label = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const port = fc.integer({ min: 1, max: 65_535 });

describe('a list of hosts', () => {
  it.each([
    ['api.openai.com', 'api.openai.com:443', true],
    ['api.openai.com', 'api.openai.com:80', true],
    ['api.openai.com', 'api.openai.com:22', false],
    ['API.OpenAI.com.', 'api.openai.COM:443', true],
    ['api.openai.com', 'api.openai.com.:443', true],
    ['api.openai.com', 'x.api.openai.com:443', false],
    ['*.openai.com', 'api.openai.com:443', true],
    ['*.openai.com', 'a.b.openai.com:443', true],
    ['*.openai.com', 'openai.com:443', false],
    ['*.openai.com', 'evil-openai.com:443', false],
    ['*.openai.com', 'openai.com.evil.com:443', false],
    ['*.openai.com:8443', 'api.openai.com:8443', true],
    ['*.openai.com:8443', 'api.openai.com:443', false],
    ['localhost:8080', 'localhost:8080', true],
    ['localhost:8080', '127.0.0.1:8080', false],
    ['127.0.0.1:8080', '0x7f.1:8080', true],
    ['127.0.0.1:8080', '2130706433:8080', true],
    ['[::1]:8080', '[0:0:0:0:0:0:0:1]:8080', true],
    ['[::1]:8080', '[::2]:8080', false],
    ['bücher.example', 'xn--bcher-kva.example:443', true],
  ])('with %s and the target %s: %s', (entry, target, expected) => {
    expect(allows(entry, target)).toBe(expected);
  });

  it.each([
    ...[
      '',
      '*',
      '*.',
      '.a',
      'a..b',
      'https://a.com',
      'a.com/',
      'a.com/x',
      'u@a.com',
      'a b',
      'a\tb',
      '%61.com',
      'a*.com',
    ],
    ...['::1', '[::1', '[::1%eth0]', '[a]', '*.1.2.3.4', '*.[::1]', 'a:', 'a:0', 'a:65536', 'a:x', 'a:1:2', '*.*.a'],
  ])('refuses the entry %j and says what it expects', (entry) => {
    expect(parseAllowedHost(entry)).toEqual(expect.stringContaining('expected a '));
  });

  it.each([
    '',
    'a',
    'a:',
    ':443',
    'a:0',
    'a:99999',
    'u@a:443',
    'a/b:443',
    '::1:443',
    'a:443 ',
    'a:44 3',
    '*.a.com:443',
  ])('reads no target from %j', (text) => {
    expect(parseHostTarget(text)).toBeUndefined();
  });

  it('allows a host by its own entry on its port, in any case, with or without a dot at its end', () => {
    fc.assert(
      fc.property(name, port, fc.boolean(), fc.boolean(), (host, number, isUpper, hasDot) => {
        const written = `${isUpper ? host.toUpperCase() : host}${hasDot ? '.' : ''}`;
        const target = parseHostTarget(`${written}:${number}`) as HostTarget;
        expect(target).toEqual({ host, port: number });
        expect(isAllowedHost([read(formatAllowedHost(target))], target)).toBe(true);
        expect(allows(`${host}:${number}`, `${written}:${number}`)).toBe(true);
        expect(allows(`${host}:${number}`, `${written}:${(number % 65_535) + 1}`)).toBe(false);
      }),
    );
  });

  it('allows by a star exactly the names that end in a dot and the suffix', () => {
    fc.assert(
      fc.property(name, name, fc.constantFrom('', '.', '-', 'x'), (front, suffix, joint) => {
        const host = `${front}${joint}${suffix}`;
        expect(allows(`*.${suffix}`, `${host}:443`)).toBe(host !== suffix && host.endsWith(`.${suffix}`));
      }),
    );
  });

  it('allows an address by no star, and by no other address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.ipV6(), label, (one, other, six, suffix) => {
        expect(allows(`*.${suffix}`, `${one}:443`)).toBe(false);
        expect(allows(`*.${suffix}`, `[${six}]:443`)).toBe(false);
        expect(allows(one, `${other}:443`)).toBe(one === other);
        expect(allows(`[${six}]`, `[${six.toUpperCase()}]:443`)).toBe(true);
      }),
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => [parseAllowedHost(text), parseHostTarget(text)]).not.toThrow();
      }),
    );
  });
});
