import type { AndOr, Command, ParsedScript, PipelineNode, Redirection, Statement } from 'unbash';

/**
 * Checks that a parsed script accounts for every character of its text: between the parts of a command there are only blanks,
 * between commands only operators, keywords and comments. The parser forgives much, and what it passes over a shell may run.
 * Returns what is wrong, or nothing.
 */
export function findUnread(source: string, script: ParsedScript): string | undefined {
  const spans: number[] = [];
  collectAll(source, spans, script.commands);
  if (spans.length === 2 && spans[0] === script.pos && spans[1] === script.end) return undefined;
  if (spans.includes(UNREAD)) return 'cannot be parsed: unexpected characters in a command';
  const order = spans.length === 2 ? spans : sortSpans(spans);
  let end = script.pos;
  let before: Before = 'start';
  for (let index = 0; index <= order.length; index += 2) {
    const start = order[index] ?? script.end;
    if (start > end) {
      const between = readBetween(source.slice(end, start), before);
      if (between.problem !== undefined) return between.problem;
      before = between.before;
    }
    if ((order[index + 1] ?? 0) > end) before = 'command';
    end = Math.max(end, order[index + 1] ?? end);
  }
  return undefined;
}

/** What stands before an operator: nothing yet, a command or the end of a group, or something that a command must follow. */
type Before = 'start' | 'command' | 'opening';

/** A position that stands for "something in a command was passed over". */
const UNREAD = -1;

function collectAll(source: string, spans: number[], statements: readonly Statement[]): void {
  for (const statement of statements) collect(source, statement.command, spans);
}

function collect(source: string, node: PipelineNode | AndOr, spans: number[]): void {
  switch (node.type) {
    case 'Command':
      return collectCommand(source, node, spans);
    case 'Redirected':
      collect(source, node.command, spans);
      for (const redirect of node.redirects) collectRedirect(redirect, spans);
      return;
    case 'Pipeline':
      for (const prefix of node.prefixes) {
        spans.push(prefix.pos, prefix.end);
        // `!(a)` is a pattern to some shells.
        if (!/\s/.test(source[prefix.end] ?? '')) spans.push(UNREAD, UNREAD);
      }
      // `! !` and a lone `!` are read differently, or not at all.
      if (node.commands.length === 0 || node.prefixes.length > 2) spans.push(UNREAD, UNREAD);
      if (node.prefixes.filter((prefix) => prefix.type === 'Negation').length > 1) spans.push(UNREAD, UNREAD);
      for (const command of node.commands) collect(source, command, spans);
      return;
    case 'AndOr':
      for (const command of node.commands) collect(source, command, spans);
      return;
    case 'Subshell':
    case 'BraceGroup':
      spans.push(node.pos, node.pos + 1, node.end - 1, node.end);
      // `((` may begin a calculation, and `{` is a word of its own.
      if (!/^(?:\([^(].*\)|\{\s.*\})$/s.test(source.slice(node.pos, node.end))) spans.push(UNREAD, UNREAD);
      return collectAll(source, spans, node.body.commands);
    case 'If':
      collectAll(source, spans, node.clause.commands);
      collectAll(source, spans, node.then.commands);
      for (const branch of node.elif) {
        collectAll(source, spans, branch.clause.commands);
        collectAll(source, spans, branch.then.commands);
      }
      return collectAll(source, spans, node.else?.commands ?? []);
    case 'While':
      collectAll(source, spans, node.clause.commands);
      return collectAll(source, spans, node.body.commands);
    case 'For':
      spans.push(node.name.pos, node.wordlist?.at(-1)?.end ?? node.name.end);
      return collectAll(source, spans, node.body.commands);
    case 'Case':
      // Its parentheses and `;;` are its own; the commands between them are read.
      spans.push(node.pos, node.end);
      for (const item of node.items) collectAll(source, spans, item.body.commands);
      return;
    default:
      // Tests are read as a whole; the other kinds are not looked into at all.
      spans.push(node.pos, node.end);
  }
}

function collectCommand(source: string, node: Command, spans: number[]): void {
  let end = node.pos;
  let isAfterChild = false;
  for (const child of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
    end = reach(source, spans, end, child, isAfterChild);
    isAfterChild = true;
  }
  reach(source, spans, end, { pos: node.end, end: node.end }, isAfterChild);
  spans.push(node.pos, node.end);
  for (const redirect of node.redirects) collectRedirect(redirect, spans);
}

/** Goes on to the next part of a command, over blanks only. */
function reach(
  source: string,
  spans: number[],
  end: number,
  next: { readonly pos: number; readonly end: number; readonly type?: string },
  isAfterChild: boolean,
): number {
  if (next.pos > end && !BLANKS.test(source.slice(end, next.pos))) spans.push(UNREAD, UNREAD);
  // Two words without a blank between them are one: `a<(b)`, `<(a)b`.
  const isJoined = next.pos === end && next.type === 'Word' && isAfterChild && !BLANKS.test(source[end - 1] ?? ' ');
  if (isJoined) spans.push(UNREAD, UNREAD);
  return next.end;
}

function collectRedirect(redirect: Redirection, spans: number[]): void {
  spans.push(redirect.pos, redirect.end);
  if (redirect.type === 'HereDoc') spans.push(redirect.body.pos, redirect.closing?.end ?? redirect.body.end);
}

function sortSpans(spans: readonly number[]): readonly number[] {
  if (spans.every((start, index) => index % 2 === 1 || index === 0 || start >= (spans[index - 2] ?? 0))) return spans;
  const pairs: [number, number][] = [];
  for (let index = 0; index < spans.length; index += 2) pairs.push([spans[index] ?? 0, spans[index + 1] ?? 0]);
  return pairs.sort((left, right) => left[0] - right[0]).flat();
}

/** Operators, keywords and comments, each where it may stand. */
function readBetween(text: string, start: Before): { readonly problem?: string; readonly before: Before } {
  if (start === 'command' && ONE_OPERATOR.test(text)) return AFTER_OPERATOR;
  let before = start;
  let isAfterBlank = start === 'start';
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token.startsWith('#')) {
      // A comment is one only to shells that know comments: typed into zsh, `# ; rm x` runs rm.
      if (!isAfterBlank) return { problem: UNEXPECTED, before };
      if (/[;&|`$<>()\\]/.test(token)) return { problem: 'has a comment that some shells would run', before };
    } else if (/^(?:;|&|\||&&|\|\||\|&)$/.test(token)) {
      if (before !== 'command') return { problem: UNEXPECTED, before };
      before = 'opening';
    } else if (token === '\n') {
      before = before === 'command' ? 'opening' : before;
    } else if (OPENING.has(token)) {
      before = 'opening';
    } else if (CLOSING.has(token)) {
      before = 'command';
    } else if (!/^(?:[ \t]+|\\\n)$/.test(token)) {
      return { problem: UNEXPECTED, before };
    }
    isAfterBlank = !CLOSING.has(token);
    last = token;
  }
  return OPENING.has(last) ? { problem: UNEXPECTED, before } : { before };
}

/** What stands between most commands. */
const ONE_OPERATOR = /^ *(?:;|&&|\|\|?) *$/;
const AFTER_OPERATOR: { readonly before: Before } = { before: 'opening' };
const UNEXPECTED = 'cannot be parsed: unexpected characters between commands';
const BLANKS = /^(?:[ \t]|\\\n)*$/;
const TOKENS = /[ \t]+|\\\n|\n|#[^\n]*|&&|\|\||\|&|[;&|]|[a-z]+|./gs;
const OPENING = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'for', 'do']);
const CLOSING = new Set(['fi', 'done']);
