import type { HereDoc, Redirection } from 'unbash';
import type { Part } from '../analysis.ts';
import type { Input } from '../input.ts';
import { noteUnlessBash, opaque, type Reader, spanOf, type WordScope } from '../reader.ts';
import type { State } from '../state.ts';
import { readQuotedText, readWord } from '../words/read-word.ts';

/** A redirect is a file operation; a here-document is input. Returns the input it gives the command. */
export function readRedirect(reader: Reader, redirect: Redirection, scope: WordScope, state: State): Input | undefined {
  if (redirect.descriptor?.type === 'FileDescriptorVariable')
    opaque(reader, redirect.descriptor.name, 'names a redirect by a variable');
  if (redirect.descriptor?.type === 'FileDescriptor' && redirect.descriptor.value > 9)
    noteUnlessBash(scope, String(redirect.descriptor.value));
  if (redirect.descriptor !== undefined && /[^\s;|&(]/.test(reader.source[redirect.pos - 1] ?? ' '))
    opaque(
      reader,
      reader.source.slice(redirect.pos, redirect.end),
      'is a redirect whose number may belong to the word before',
    );
  if (redirect.type === 'HereDoc') {
    checkHereDocument(reader, redirect);
    if (redirect.closing === undefined)
      opaque(reader, redirect.delimiter?.text ?? '<<', 'is a here-document without an end');
    const word = readQuotedText(
      redirect.body.text,
      redirect.delimiter?.quoted ? undefined : redirect.body.parts,
      scope,
    );
    return { type: 'text', word };
  }
  if (redirect.target === undefined) {
    opaque(reader, redirect.operator, 'is a redirect without a target');
    return undefined;
  }
  const word = readWord(redirect.target, scope);
  if (redirect.type === 'HereString') {
    noteUnlessBash(scope, redirect.operator);
    return { type: 'text', word };
  }
  if (redirect.operator.startsWith('&')) noteUnlessBash(scope, redirect.operator);
  if (word.splits) opaque(reader, word.text, 'is a redirect to names that shells find in different ways');
  if (/^[<>]&$/.test(redirect.operator)) {
    if (/^(?:\d|-)$/.test(word.text)) return undefined;
    opaque(reader, reader.source.slice(redirect.pos, redirect.end), 'is a redirect that shells read differently');
  }
  if (word.value !== undefined && HARMLESS_DEVICES.test(word.value)) return undefined;
  if (/^\/dev\/(?:tcp|udp)\//.test(word.value ?? '/dev/tcp/') && word.value !== undefined)
    opaque(reader, word.text, 'opens a network connection');
  const text = reader.source.slice(redirect.pos, redirect.end);
  const access = redirect.operator === '<' || redirect.operator === '<&' ? 'read' : 'write';
  const part: Part = {
    type: 'file',
    text,
    span: spanOf(reader, redirect),
    access,
    word,
    directories: state.directories,
  };
  reader.parts.push(part);
  if (redirect.operator === '<>') reader.parts.push({ ...part, access: 'read' });
  return { type: 'unknown' };
}

/** The end of a here-document must be plain to see: shells differ about odd marks, joined lines and ends of substitutions. */
function checkHereDocument(reader: Reader, { delimiter, body }: HereDoc): void {
  const isPlain = /^(?:[A-Za-z_]\w*|'[A-Za-z_]\w*'|"[A-Za-z_]\w*"|\\[A-Za-z_]\w*)$/.test(delimiter?.text ?? '');
  const text = reader.source.slice(body.pos, body.end);
  const isOdd = (delimiter?.quoted !== true && text.includes('\\\n')) || (reader.isNested && !isBalanced(text));
  if (!isPlain || isOdd)
    opaque(reader, delimiter?.text ?? '<<', 'is a here-document whose end shells find differently');
}

/** No quotes, and every parenthesis has its partner. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open += 1;
    if (sign === ')') open -= 1;
    if (open < 0 || '\'"`'.includes(sign)) return false;
  }
  return open === 0;
}

const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;
