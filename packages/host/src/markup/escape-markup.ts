const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What has a meaning in markup, and what neither XML nor HTML can write: control characters, half of a pair, no character at all. */
const SPECIAL = /[&<>"']|(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** Text as XML and HTML want it, between tags and in attributes. Characters that neither has a way to write are left out. */
export function escapeMarkup(text: string): string {
  return text.replace(SPECIAL, (character) => ENTITIES[character] ?? '');
}
