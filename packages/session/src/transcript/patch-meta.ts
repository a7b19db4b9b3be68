type Meta = Readonly<Record<string, unknown>>;

/** What is known under `_meta` after an update: absent keeps it, null clears it, else each key is set, and a null one removed. */
export function patchMeta(known: Meta | undefined, patch: Meta | null | undefined): Meta | undefined {
  if (patch === undefined) return known;
  if (patch === null) return undefined;
  const patched = Object.fromEntries(Object.entries({ ...known, ...patch }).filter(([, value]) => value !== null));
  return Object.keys(patched).length > 0 ? patched : undefined;
}
