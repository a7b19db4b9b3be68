export interface GridKeys {
  readonly move: (by: number) => void;
  readonly moveTo: (where: 'start' | 'end') => void;
  readonly open: () => void;
  readonly expand: (isExpanded: boolean) => void;
  readonly filter: () => void;
  readonly pair: () => void;
  readonly copy: () => void;
  readonly export: () => void;
  readonly pause: () => void;
  readonly close: () => void;
}

const PAGE_ROWS = 20;

/** What a key does where nobody types; undefined for one that does nothing here. */
export function actionFor(event: KeyboardEvent, keys: GridKeys): (() => void) | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  const isTyping = target?.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target?.tagName ?? '');
  if (isTyping) return undefined;
  if (event.key === 'Escape') return keys.close;
  if (event.key === '/') return keys.filter;
  // Buttons, tabs and folds have keys of their own, and a dialog is over all this.
  const isControl = target?.closest('button, summary, a, [role=tab], dialog') != null;
  const isElsewhere = target !== undefined && target !== document.body && target.closest('.inspector, main') == null;
  if (isElsewhere || (isControl && /^(Enter| |Arrow.*|Home|End)$/.test(event.key))) return undefined;
  return ACTIONS[event.key]?.(keys);
}

const ACTIONS: Readonly<Record<string, (keys: GridKeys) => () => void>> = {
  j: (keys) => () => keys.move(1),
  ArrowDown: (keys) => () => keys.move(1),
  k: (keys) => () => keys.move(-1),
  ArrowUp: (keys) => () => keys.move(-1),
  PageDown: (keys) => () => keys.move(PAGE_ROWS),
  PageUp: (keys) => () => keys.move(-PAGE_ROWS),
  Home: (keys) => () => keys.moveTo('start'),
  End: (keys) => () => keys.moveTo('end'),
  ArrowRight: (keys) => () => keys.expand(true),
  ArrowLeft: (keys) => () => keys.expand(false),
  Enter: (keys) => keys.open,
  p: (keys) => keys.pair,
  c: (keys) => keys.copy,
  e: (keys) => keys.export,
  ' ': (keys) => keys.pause,
};
