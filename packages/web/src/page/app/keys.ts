export interface KeyActions {
  readonly palette: () => void;
  readonly help: () => void;
  readonly inspector: () => void;
  readonly newSession: () => void;
  readonly approvals: () => void;
  readonly changes: () => void;
  readonly search: () => void;
  readonly closeDrawer: () => void;
}

/** The keys of the page, for the list of keys. Rooms add what is theirs. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl+K', 'everything that can be done, by name'],
  ['Ctrl+I', 'inspector of this session'],
  ['?', 'this list'],
  ['g n', 'new session'],
  ['g a', 'the session that waits for you'],
  ['g s', 'search sessions'],
  ['g c', 'show or hide changes'],
  ['Enter', 'send the message; Shift+Enter begins a new line'],
  ['Ctrl+Enter', 'while the agent works: send the message when it is done, not into its turn'],
  ['Escape', 'stop the agent, or close what is open'],
  ['1 to 9', 'answer a question with that option'],
  ['Up', 'in an empty message: what you said before'],
  ['Alt+Up, Alt+Down', 'in the conversation: the message before or after'],
  ['[ and ]', 'in the conversation: the tool call before or after'],
];

/** How long the second key of two may take. */
const SEQUENCE_MS = 1500;

/** Follows the keyboard. Single letters count only where nobody types. Returns what ends it. */
export function bindKeys(actions: KeyActions): () => void {
  let leaderAt = Number.NEGATIVE_INFINITY;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const action = find(event);
    if (!action) return;
    event.preventDefault();
    action();
  };
  const find = (event: KeyboardEvent): (() => void) | undefined => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isCommand && event.key === 'k') return actions.palette;
    if (isCommand && event.key === 'i' && !isTyping(event.target)) return actions.inspector;
    if (event.key === 'Escape') {
      actions.closeDrawer();
      return undefined;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return undefined;
    const isSecond = event.timeStamp - leaderAt < SEQUENCE_MS;
    leaderAt = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (event.key === '?') return actions.help;
    if (!isSecond) return undefined;
    return { n: actions.newSession, a: actions.approvals, s: actions.search, c: actions.changes }[event.key];
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
