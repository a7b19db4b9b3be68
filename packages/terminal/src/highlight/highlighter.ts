import { type Line, type Span, STYLES, type Style } from '../text/styled-text.ts';
import type { HighlightLibrary } from './library.ts';

/** Longer texts are shown without colours: nobody waits for them. */
const MAX_CHARACTERS = 64 * 1024;

let library: HighlightLibrary | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter. Until it is there, code is shown in one colour: nothing waits for it. */
export function loadHighlighter(): Promise<void> {
  loading ??= import('./languages.ts').then(
    ({ createLibrary }) => {
      library = createLibrary();
    },
    // Without it, code is shown all the same.
    () => {},
  );
  return loading;
}

/** Code as coloured lines; undefined when its language is not known here, or the highlighter is not loaded. */
export function highlight(code: string, language: string): readonly Line[] | undefined {
  const name =
    language
      .trim()
      .split(/[\s,:{]/, 1)[0]
      ?.toLowerCase() ?? '';
  if (!library || code.length > MAX_CHARACTERS || !library.getLanguage(name)) return undefined;
  const { value } = library.highlight(code, { language: name, ignoreIllegals: true });
  return toLines(value);
}

/** The language of a file, by its name; undefined when it is not known here. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const word = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : name;
  return library?.getLanguage(word) ? word : undefined;
}

/** The library writes HTML: spans with a class, and five signs that are written as entities. */
function toLines(html: string): Line[] {
  const lines: Span[][] = [[]];
  const open: (Style | undefined)[] = [];
  for (const [part] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (part === '</span>') open.pop();
    else if (part.startsWith('<')) open.push(styleOf(part) ?? open.at(-1));
    else {
      for (const [index, text] of withSigns(part).split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push({ text, style: open.at(-1) });
      }
    }
  }
  return lines;
}

function withSigns(text: string): string {
  return text.includes('&')
    ? text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => SIGNS[name] ?? '')
    : text;
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function styleOf(tag: string): Style | undefined {
  const [, name = ''] = /hljs-([\w-]+)/.exec(tag) ?? [];
  return CLASSES[name];
}

const KEYWORD: Style = { foreground: '35' };
const TEXT: Style = { foreground: '32' };
const NAME: Style = { foreground: '34' };
const TYPE: Style = { foreground: '36' };
const NUMBER: Style = { foreground: '33' };
const REMARK: Style = { isDim: true, isItalic: true };

const CLASSES: Readonly<Record<string, Style>> = {
  keyword: KEYWORD,
  'selector-tag': KEYWORD,
  operator: KEYWORD,
  literal: NUMBER,
  number: NUMBER,
  symbol: NUMBER,
  string: TEXT,
  regexp: TEXT,
  'template-tag': TEXT,
  title: NAME,
  function: NAME,
  section: NAME,
  attr: NAME,
  attribute: NAME,
  property: NAME,
  name: NAME,
  type: TYPE,
  built_in: TYPE,
  class: TYPE,
  variable: TYPE,
  'template-variable': TYPE,
  comment: REMARK,
  quote: REMARK,
  doctag: REMARK,
  meta: REMARK,
  addition: STYLES.added,
  deletion: STYLES.removed,
  strong: STYLES.bold,
  emphasis: STYLES.italic,
};
