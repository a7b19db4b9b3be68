const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML and HTML want it. Characters that neither has a way to write are left out. */
export function escapeMarkup(text: string): string {
  return Array.from(text, (character) => (isWritable(character) ? (ENTITIES[character] ?? character) : '')).join('');
}

function isWritable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x20 ? code !== 0xfffe && code !== 0xffff : code === 0x09 || code === 0x0a || code === 0x0d;
}
