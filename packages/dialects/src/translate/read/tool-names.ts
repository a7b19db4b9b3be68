/** What kind of tool the well-known names stand for (S0:236 sends names and no kinds). */
const KINDS: Readonly<Record<string, string>> = {
  Read: 'read',
  LS: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Bash: 'execute',
  Grep: 'search',
  Glob: 'search',
  WebSearch: 'search',
  WebFetch: 'fetch',
  Task: 'think',
};

export function kindOfTool(name: string): string | undefined {
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}
