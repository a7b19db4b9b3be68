import type { ToolKind } from '@parley/protocol';
import { ANY_CHARACTER, GLOBSTAR, matchesText } from '../glob.ts';
import type { SafetyLevel } from '../request/safety.ts';
import { isMcpName, kindOfName } from '../request/tool-class.ts';

/** Which tools exist, and which of them ask whatever the rules say. A session mode of an agent is one of these. */
export interface ToolSet {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Only these exist; everything when absent. */
  readonly only?: ToolSelector;
  /** These do not exist, unless `keeps` names them. */
  readonly without?: ToolSelector;
  readonly keeps?: ToolSelector;
  /** These ask every time. */
  readonly asks?: ToolSelector;
  /** Our own tools below this level run without asking. */
  readonly asksFromLevel?: SafetyLevel;
}

export type ToolPresetId = 'full' | 'read-only' | 'safe' | 'sandbox';
export type BehaviourModeId = 'code' | 'architect' | 'ask';

/** Tools by kind or by name; a name may contain `*`. */
export interface ToolSelector {
  readonly kinds?: readonly ToolKind[];
  readonly names?: readonly string[];
}

/** As much of a tool as a selector looks at. */
export interface ToolFacts {
  readonly name: string;
  readonly kind?: ToolKind;
}

const CHANGES: readonly ToolKind[] = ['edit', 'delete', 'move', 'execute'];
/** Other agents have tools of their own, and change what they like with them. */
const AGENTS: readonly string[] = ['agent', 'agent__*'];
const LOCAL: readonly ToolKind[] = ['read', 'search', ...CHANGES];

/** The tool presets `full`, `read-only`, `safe` and `sandbox`. */
export const TOOL_PRESETS: Readonly<Record<ToolPresetId, ToolSet>> = {
  full: { id: 'full', name: 'Full Access', description: 'All tools available', asksFromLevel: 2 },
  'read-only': {
    id: 'read-only',
    name: 'Read-Only',
    description: 'No local writes or execution',
    without: { kinds: CHANGES, names: ['file_write', 'file_edit', 'bash', 'code_execute', 'todo_update', ...AGENTS] },
    asksFromLevel: 2,
  },
  safe: {
    id: 'safe',
    name: 'Safe Mode',
    description: 'Excludes potentially dangerous tools',
    without: { kinds: ['execute'], names: ['bash', 'code_execute', ...AGENTS] },
    asksFromLevel: 2,
  },
  sandbox: {
    id: 'sandbox',
    name: 'Sandbox Mode',
    description: 'Disable local file/shell tools; use sandbox_* tools instead',
    without: { kinds: LOCAL, names: ['skills', 'todo_read', 'todo_update', ...AGENTS] },
    keeps: { names: ['sandbox_*'] },
    asksFromLevel: 2,
  },
};

/** The behaviour modes `code`, `architect` and `ask`. */
export const BEHAVIOUR_MODES: Readonly<Record<BehaviourModeId, ToolSet>> = {
  code: { id: 'code', name: 'Code', description: 'All tools; changes as the permission mode allows' },
  architect: {
    id: 'architect',
    name: 'Architect',
    description: 'Analyse, design and plan; cannot modify anything',
    only: { kinds: ['read', 'search', 'think', 'fetch', 'switch_mode'], names: ['plan', 'clarify', 'request_user'] },
  },
  ask: {
    id: 'ask',
    name: 'Ask',
    description: 'Asks before every change and explains it',
    asks: { kinds: [...CHANGES, 'other'], names: ['mcp__*'] },
  },
};

/** Does this tool exist in the set? */
export function isAvailable(set: ToolSet, tool: ToolFacts): boolean {
  if (set.only && !selects(set.only, tool)) return false;
  if (!set.without || !selects(set.without, tool)) return true;
  return set.keeps !== undefined && selects(set.keeps, tool);
}

/** The tools that exist in the set. */
export function toolsIn<Tool extends ToolFacts>(set: ToolSet, tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => isAvailable(set, tool));
}

/** Does the set ask for this tool whatever the rules say? */
export function alwaysAsks(set: ToolSet, tool: ToolFacts): boolean {
  return set.asks !== undefined && selects(set.asks, tool);
}

function selects(selector: ToolSelector, tool: ToolFacts): boolean {
  const name = tool.name.toLowerCase();
  if (selector.names?.some((pattern) => matchesText(nameGlob(pattern), name))) return true;
  const kinds = [tool.kind, isMcpName(tool.name) ? undefined : kindOfName(tool.name)].filter(
    (kind) => kind !== undefined,
  );
  return (kinds.length === 0 ? (['other'] as const) : kinds).some((kind) => selector.kinds?.includes(kind) ?? false);
}

function nameGlob(pattern: string): number[] {
  return [...pattern.toLowerCase()].map((character) =>
    character === '*' ? GLOBSTAR : character === '?' ? ANY_CHARACTER : character.charCodeAt(0),
  );
}
