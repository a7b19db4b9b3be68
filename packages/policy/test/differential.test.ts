import { describe, expect, it } from 'vitest';
import type { CommandPart, Span } from '../src/shell/analysis.ts';
import { readCommandLine } from '../src/shell/read-command-line.ts';
import { readCorpus } from './corpus.ts';
import { formatEach, isOneWordEach } from './second-parser.ts';
import { createRandom, generateLine, mutateLine } from './shell-fuzz.ts';

const SEED = 20_240_601;
const GENERATED = 2000;

/** A line that we claim to have read completely: its commands, and the line written again from what we read. */
interface Claim {
  readonly line: string;
  readonly rewritten: string;
  readonly words: readonly string[];
}

describe('a second parser', () => {
  it('sees the same commands and words wherever we claim to see all of them', async () => {
    const claims = lines().flatMap(readClaim);
    expect(claims.length).toBeGreaterThan(1000);
    const [formatted, rewritten] = [
      await formatEach(claims.map((claim) => claim.line)),
      await formatEach(claims.map((claim) => claim.rewritten)),
    ];
    const disagreements = claims.flatMap((claim, index) =>
      formatted[index] === undefined || formatted[index] !== rewritten[index]
        ? [{ line: claim.line, theirs: formatted[index], ours: rewritten[index] }]
        : [],
    );
    expect(disagreements).toEqual([]);
    const words = [...new Set(claims.flatMap((claim) => claim.words))];
    const isOne = await isOneWordEach(words);
    expect(words.filter((_, index) => !isOne[index])).toEqual([]);
  });
});

function lines(): string[] {
  const random = createRandom(SEED);
  const known = [...readCorpus('everyday.tsv'), ...readCorpus('adversarial.tsv')].map((entry) => entry.command);
  const generated = Array.from({ length: GENERATED }, () => generateLine(random));
  const mutated = [...known, ...known, ...generated].map((line) => mutateLine(line, random));
  return [...known, ...generated, ...mutated];
}

/** Reads a line; nothing when any of it is opaque, or has what is not rewritten here: here-documents, loops, `[[`. */
function readClaim(line: string): Claim[] {
  if (/<<|\bfor\b|\bcase\b|\[\[|__case_|\\\s*\\\n/.test(line)) return [];
  const parts = readCommandLine(line, { directories: ['/proj/app'], home: '/home/me' });
  if (parts.length === 0 || parts.some((part) => part.type === 'opaque')) return [];
  const seen = parts.flatMap((part) =>
    part.type === 'opaque' || part.span === undefined ? [] : [{ ...part, span: part.span }],
  );
  const outer = seen
    .filter((part) => !seen.some((other) => isWithin(part.span, other.span)))
    .filter((part, index, all) => all.findIndex((other) => other.span.start === part.span.start) === index)
    .sort((a, b) => a.span.start - b.span.start);
  let rewritten = '';
  let end = 0;
  for (const part of outer) {
    rewritten += gap(line.slice(end, part.span.start)) + (part.type === 'command' ? rewrite(part) : part.text);
    end = part.span.end;
  }
  rewritten += gap(line.slice(end));
  return [
    {
      line,
      rewritten,
      words: seen
        .flatMap((part) => (part.type === 'file' ? [part.word.text] : part.words.map((word) => word.text)))
        .map((text) => text.replaceAll('\\\n', '')),
    },
  ];
}

function isWithin(inner: Span, outer: Span): boolean {
  return (
    inner !== outer &&
    outer.start <= inner.start &&
    inner.end <= outer.end &&
    outer.end - outer.start > inner.end - inner.start
  );
}

/** What stands between commands, without comments. */
function gap(text: string): string {
  return text.replaceAll(/(^|[\s;&|(){}])#[^\n]*/g, '$1');
}

/** The command written again, word by word; with redirects it is left as it is and only its words are checked. */
function rewrite(part: CommandPart): string {
  const [first] = part.words;
  const isPlain =
    first !== undefined &&
    /^(?:\s|$)/.test(part.text.slice(first.text.length)) &&
    part.text.startsWith(first.text) &&
    !/[<>{]/.test(part.text);
  return isPlain ? part.words.map((word) => word.text).join(' ') : part.text;
}
