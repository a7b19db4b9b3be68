import { createHash } from 'node:crypto';
import { escapeMarkup } from './escape-markup.ts';

export interface HtmlDocument {
  /** Plain text. */
  readonly title: string;
  readonly style: string;
  /** Markup, every text in it escaped. */
  readonly body: string;
  /** What makes the page handier; without it everything is still there. */
  readonly script?: string;
}

/**
 * A page in one file that loads nothing from anywhere. Its policy lets only the given style and script work, so that text of
 * others stays text even where it was not escaped.
 */
export function htmlDocument({ title, style, body, script }: HtmlDocument): string {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
