/** A path without the `@` that chats put before the name of a file. */
export function unmentioned(path: string): string {
  return path.trim().replace(/^@(?=[\w./~-])/, '');
}
