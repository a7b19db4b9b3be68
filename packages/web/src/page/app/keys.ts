export interface KeyActions {
  readonly palette: () => void;
  readonly help: () => void;
  readonly inspector: () => void;
  readonly newSession: () => void;
  readonly approvals: () => void;
  readonly search: () => void;
  readonly closeDrawer: () => void;
  /** By the second key of `g <key>`. */
  readonly panels: ReadonlyMap<string, () => void>;
}

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
    const places = { n: actions.newSession, a: actions.approvals, s: actions.search };
    return places[event.key as keyof typeof places] ?? actions.panels.get(event.key);
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
