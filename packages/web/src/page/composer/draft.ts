const PREFIX = 'parley.draft.';
/** Drafts of so many sessions are kept. */
const MAX_DRAFTS = 50;

/** What was written for a session and not sent. */
export function loadDraft(store: Pick<Storage, 'getItem'>, sessionId: string): string {
  return store.getItem(PREFIX + sessionId) ?? '';
}

/** Keeps it through a reload. A store that is full, or not there, keeps nothing. */
export function saveDraft(store: Storage, sessionId: string, text: string): void {
  try {
    store.removeItem(PREFIX + sessionId);
    if (text === '') return;
    const drafts = Object.keys(store).filter((key) => key.startsWith(PREFIX));
    for (const key of drafts.slice(0, Math.max(0, drafts.length - MAX_DRAFTS + 1))) store.removeItem(key);
    store.setItem(PREFIX + sessionId, text);
  } catch {
    // The draft stays in the page.
  }
}
