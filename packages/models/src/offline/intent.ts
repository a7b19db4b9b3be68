/** One thing a person asked for, as far as the offline model understands it. */
export type Intent =
  | { readonly kind: 'read'; readonly path: string; readonly startLine?: number; readonly endLine?: number }
  | { readonly kind: 'list'; readonly path?: string; readonly pattern?: string }
  | { readonly kind: 'search'; readonly pattern: string; readonly path?: string }
  | {
      readonly kind: 'replace';
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      readonly isOnce: boolean;
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'run'; readonly command: string; readonly isBackground: boolean }
  | { readonly kind: 'fetch'; readonly url: string }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | Talk;

/** What is answered in words alone. */
export type Talk =
  | { readonly kind: 'help' }
  | { readonly kind: 'greet' }
  | { readonly kind: 'thank' }
  | { readonly kind: 'summarize' }
  /** "Show me the output" happens anyway; "in a.ts" only says which file is meant. */
  | { readonly kind: 'nothing'; readonly path?: string }
  /** "Do it": carry out what was planned. */
  | { readonly kind: 'go' }
  | { readonly kind: 'unknown'; readonly text: string };

/** What needs a tool. */
export type Action = Exclude<Intent, Talk>;

const TALK: ReadonlySet<Intent['kind']> = new Set(['help', 'greet', 'thank', 'summarize', 'nothing', 'go', 'unknown']);

export function isAction(intent: Intent): intent is Action {
  return !TALK.has(intent.kind);
}

/** Changes nothing, so that several may run side by side. */
export function isReadOnly(action: Action): boolean {
  return action.kind === 'read' || action.kind === 'list' || action.kind === 'search';
}

/** The file an action leaves in mind: what "it" means afterwards. */
export function subjectOf(intent: Intent): string | undefined {
  switch (intent.kind) {
    case 'read':
    case 'replace':
    case 'write':
    case 'append':
    case 'nothing':
      return intent.path;
    case 'move':
      return intent.to;
    default:
      return undefined;
  }
}
