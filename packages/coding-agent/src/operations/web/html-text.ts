const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Elements whose content is not for reading. */
const SKIPPED = new Set(['script', 'style', 'noscript', 'svg', 'template', 'head']);
/** Elements that begin or end a line. */
const BLOCKS = new Set(
  'p div tr table ul ol section article header footer main pre blockquote br form h1 h2 h3 h4 h5 h6'.split(' '),
);

/** What a page says, without its markup: enough for a model to read. One pass, whatever the page is. */
export function textOfHtml(html: string): string {
  const lower = html.toLowerCase();
  const links: string[] = [];
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    text += html.slice(at, open);
    if (lower.startsWith('<!--', open)) {
      at = after(lower, '-->', open);
      continue;
    }
    const close = html.indexOf('>', open);
    if (close < 0) return tidy(text);
    const tag = html.slice(open + 1, close);
    const name = /^\/?([a-z][a-z0-9]*)/i.exec(tag)?.[0].toLowerCase() ?? '';
    at = SKIPPED.has(name) && !tag.endsWith('/') ? after(lower, `</${name}`, close) : close + 1;
    text += textOfTag(name, tag, links);
  }
  return tidy(text + html.slice(at));
}

function textOfTag(name: string, tag: string, links: string[]): string {
  if (name === 'li') return '\n- ';
  if (name === 'a') {
    links.push(/\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? '');
    return '';
  }
  if (name === '/a') {
    const link = links.pop();
    return link && !link.startsWith('#') ? ` (${link})` : '';
  }
  const heading = /^h([1-6])$/.exec(name);
  if (heading) return `\n\n${'#'.repeat(Number(heading[1]))} `;
  return BLOCKS.has(name.replace('/', '')) ? '\n' : '';
}

/** The place after the next `mark`, and after the tag that it begins; the end when there is none. */
function after(lower: string, mark: string, from: number): number {
  const found = lower.indexOf(mark, from);
  if (found < 0) return lower.length;
  if (mark.endsWith('>')) return found + mark.length;
  const close = lower.indexOf('>', found);
  return close < 0 ? lower.length : close + 1;
}

function tidy(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, decodeEntity)
    .replace(/[ \t\r]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
