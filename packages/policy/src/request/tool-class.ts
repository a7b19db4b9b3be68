import type { ToolKind } from '@parley/protocol';

/** What is in the parentheses of a rule for this tool. */
export type PatternLanguage = 'command' | 'path' | 'url' | 'none';

/** A tool name that a rule uses for a whole family of tools, whatever an agent calls them. */
export interface ToolClass {
  readonly name: string;
  /** The ACP kinds that belong to it. */
  readonly kinds: readonly ToolKind[];
  readonly pattern: PatternLanguage;
}

/** The families a rule can name. Every agent's tools fall into them by their ACP kind or by a well-known name. */
export const TOOL_CLASSES: readonly ToolClass[] = [
  { name: 'Read', kinds: ['read'], pattern: 'path' },
  { name: 'Edit', kinds: ['edit', 'delete', 'move'], pattern: 'path' },
  { name: 'Write', kinds: ['edit', 'delete', 'move'], pattern: 'path' },
  { name: 'Delete', kinds: ['delete'], pattern: 'path' },
  { name: 'Move', kinds: ['move'], pattern: 'path' },
  { name: 'Grep', kinds: ['search'], pattern: 'path' },
  { name: 'Glob', kinds: ['search'], pattern: 'path' },
  { name: 'LS', kinds: ['search'], pattern: 'path' },
  { name: 'Search', kinds: ['search'], pattern: 'path' },
  { name: 'Bash', kinds: ['execute'], pattern: 'command' },
  { name: 'Shell', kinds: ['execute'], pattern: 'command' },
  { name: 'Fetch', kinds: ['fetch'], pattern: 'url' },
  { name: 'WebFetch', kinds: ['fetch'], pattern: 'url' },
  { name: 'Think', kinds: ['think'], pattern: 'none' },
];

/** Names under which agents are known to offer a tool of each kind; case, `_`, `-` and spaces do not count. */
const NAMES_BY_KIND: Readonly<Partial<Record<ToolKind, string>>> = {
  read: 'read read_file file_read view view_file open_file notebook_read read_text_file read_many_files',
  edit:
    'edit write edit_file write_file file_edit file_write multi_edit notebook_edit apply_patch str_replace replace ' +
    'create_file write_text_file str_replace_editor make_directory mkdir',
  delete: 'delete delete_file remove remove_file',
  move: 'move rename move_file rename_file',
  search:
    'grep glob ls list list_files list_directory list_dir search search_files search_file_content find ripgrep rg',
  execute:
    'bash shell run_command run_shell_command execute_command execute terminal create_terminal exec exec_command ' +
    'local_shell code_execute run_terminal_cmd power_shell',
  fetch: 'fetch web_fetch fetch_url web_search web_get',
  think: 'think todo_write todo_read todo_update update_plan',
  switch_mode: 'exit_plan_mode enter_plan_mode switch_mode',
};

const LANGUAGE_BY_KIND: Readonly<Partial<Record<ToolKind, PatternLanguage>>> = {
  read: 'path',
  edit: 'path',
  delete: 'path',
  move: 'path',
  search: 'path',
  execute: 'command',
  fetch: 'url',
};

const CLASS_BY_NAME = new Map(TOOL_CLASSES.map((entry) => [plainName(entry.name), entry]));
const KIND_BY_NAME = new Map(
  Object.entries(NAMES_BY_KIND).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, ToolKind] => [plainName(name), kind as ToolKind]),
  ),
);

/** The family that a rule's tool name stands for, if it stands for one. */
export function findToolClass(name: string): ToolClass | undefined {
  return CLASS_BY_NAME.get(plainName(name));
}

/** The kind of a tool that is known by its name alone. */
export function kindOfName(name: string): ToolKind | undefined {
  return KIND_BY_NAME.get(plainName(name));
}

export function languageOfName(name: string): PatternLanguage {
  const kind = kindOfName(name);
  return (kind && LANGUAGE_BY_KIND[kind]) ?? 'none';
}

export function isMcpName(name: string): boolean {
  return name.startsWith('mcp__');
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\- ]/g, '');
}
