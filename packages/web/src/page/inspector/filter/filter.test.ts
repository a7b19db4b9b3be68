import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matched, parseFilter, setTerm, splitTerms, termValue, toggleTerm } from './filter.ts';

const row = (fields: Partial<Matched> = {}): Matched => ({
  kind: 'request',
  method: 'session/prompt',
  summary: '"fix the test"',
  direction: 'out',
  id: '5',
  agent: 'parley',
  side: 'client',
  sessionId: 'abc-123',
  size: 2048,
  durationMs: 1500,
  waitsOn: 'agent',
  status: 'ok',
  text: () => '{"method":"session/prompt"}',
  ...fields,
});
const fits = (filter: string, fields?: Partial<Matched>): boolean => {
  const { matches, problems } = parseFilter(filter);
  expect(problems).toEqual([]);
  return matches(row(fields));
};

describe('a filter', () => {
  it('asks by name, with stars, lists, and "-" for not; all terms must hold', () => {
    expect(fits('')).toBe(true);
    expect(fits('method:session/*')).toBe(true);
    expect(fits('method:session/*', { method: 'fs/read_text_file' })).toBe(false);
    expect(fits('method:fs/*,session/prompt')).toBe(true);
    expect(fits('method:*prompt')).toBe(true);
    expect(fits('method:session')).toBe(true);
    expect(fits('dir:out side:client agent:par session:abc id:5 kind:request waits:agent')).toBe(true);
    expect(fits('dir:out -agent:parley')).toBe(false);
    expect(fits('id:5', { id: '55' })).toBe(false);
    expect(fits('status:error,invalid', { status: 'invalid' })).toBe(true);
    expect(fits('session:"abc-123"')).toBe(true);
  });

  it('finds words in method and summary, texts in quotes, and expressions in the whole message', () => {
    expect(fits('FIX')).toBe(true);
    expect(fits('"the test"')).toBe(true);
    expect(fits('-chunk', { summary: 'agent_message_chunk "hi"' })).toBe(false);
    expect(fits('/"method":"SESSION.prompt"/i')).toBe(true);
    expect(fits('-/nothing like it/')).toBe(true);
    expect(fits('/a b/', { text: () => 'a b' })).toBe(true);
    expect(fits('https://example.org', { summary: 'https://example.org/x' })).toBe(true);
  });

  it('measures time and size', () => {
    expect(fits('slow>1s')).toBe(true);
    expect(fits('slow>2s')).toBe(false);
    expect(fits('slow<1600ms')).toBe(true);
    expect(fits('slow>1s', { durationMs: undefined })).toBe(false);
    expect(fits('size>2kb')).toBe(false);
    expect(fits('size>2000')).toBe(true);
    expect(fits('size<3k')).toBe(true);
  });

  it('says in words what it cannot understand, and leaves that out', () => {
    const problemOf = (filter: string): string => {
      const { problems, matches } = parseFilter(filter);
      expect(matches(row())).toBe(true);
      return problems.join(' ');
    };
    expect(problemOf('dir:up')).toBe('"dir:up" is none of in, out.');
    expect(problemOf('colour:red')).toContain('There is no "colour:"; there are method, dir, status');
    expect(problemOf('slow>fast')).toBe('"slow>fast" is no duration: write slow>1s or slow>250ms.');
    expect(problemOf('size>1s')).toBe('"size>1s" is no size: write size>10kb or size>500.');
    expect(problemOf('/(/')).toContain('/(/ is no regular expression');
    expect(problemOf('method:')).toBe('"method:" has no value.');
  });

  it('never throws, whatever is typed', () => {
    const typed = string({
      unit: constantFrom('/', '"', '-', ':', '>', '*', '(', '\\', ' ', 'a', 'slow', 'dir', 'é', '['),
    });
    assert(
      property(typed, (text) => {
        expect(typeof parseFilter(text).matches(row())).toBe('boolean');
      }),
    );
  });

  it('is changed term by term, and the other terms stay', () => {
    const text = 'method:session/* /a b/ "two words"';
    expect(splitTerms(text)).toEqual(['method:session/*', '/a b/', '"two words"']);
    expect(toggleTerm(text, 'slow>1s')).toBe(`${text} slow>1s`);
    expect(toggleTerm(toggleTerm(text, '-chunk'), '-chunk')).toBe(text);
    expect(setTerm(text, 'session', 'a b')).toBe(`${text} session:"a b"`);
    expect(termValue(setTerm(text, 'session', 'a b'), 'session')).toBe('a b');
    expect(setTerm(setTerm(text, 'session', 'x'), 'session', '')).toBe(text);
    assert(
      property(string(), (value) => {
        const session = value.replaceAll(/[\s"]/g, '');
        expect(termValue(setTerm('dir:in', 'session', session), 'session')).toBe(session);
      }),
    );
  });
});
