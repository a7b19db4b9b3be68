/** A Markdown file whose first lines, between lines of `---`, name some facts about it. */
export interface FrontMatter {
  readonly facts: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

/** Reads simple facts, `name: words`, in quotes or over several lines. What else YAML can say is passed over. */
export function readFrontMatter(text: string): FrontMatter {
  const match = HEAD.exec(text);
  if (!match) return { facts: {}, body: text };
  const facts: Record<string, string> = {};
  let open: string | undefined;
  for (const line of (match[1] ?? '').split(/\r?\n/)) {
    const [, name, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      open = name;
      facts[name] = /^[>|][+-]?$/.test(value.trim()) ? '' : unquote(value.trim());
    } else if (open !== undefined && /^\s+\S/.test(line)) {
      facts[open] = `${facts[open] ?? ''} ${line.trim()}`.trim();
    }
  }
  return { facts, body: match[2] ?? '' };
}

function unquote(value: string): string {
  const [, , inner] = /^(["'])([\s\S]*)\1$/.exec(value) ?? [];
  return inner ?? value;
}
