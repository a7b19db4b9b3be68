/**
 * Fields beside those of the specification, as an agent sent them. They are kept with the event and written again in the
 * same place, so that what two peers have agreed on passes through those in between.
 */
export type Extra = Readonly<Record<string, unknown>>;

/** The fields that a version of the protocol has in each kind of update. */
export type KnownFields = ReadonlyMap<unknown, ReadonlySet<string>>;

export function knownFields(fields: Readonly<Record<string, readonly string[]>>): KnownFields {
  return new Map(
    Object.entries(fields).map(([kind, names]) => [kind, new Set(['sessionUpdate', '_meta', '__proto__', ...names])]),
  );
}

/** Undefined when an update has no other fields, as nearly all have, or is of a kind that is kept whole. */
export function extraOf(update: { readonly sessionUpdate?: unknown }, known: KnownFields): Extra | undefined {
  const names = known.get(update.sessionUpdate);
  return names && otherFields(update, names);
}

/** The fields of a value that are not among these names. */
export function otherFields(value: object, names: ReadonlySet<string>): Extra | undefined {
  let others: Record<string, unknown> | undefined;
  for (const name in value) {
    if (names.has(name)) continue;
    others ??= {};
    others[name] = (value as Record<string, unknown>)[name];
  }
  return others;
}

/** An update with the fields that came beside; one that means something in this version is left out. */
export function withExtra<Update extends { readonly sessionUpdate?: unknown }>(
  update: Update,
  extra: Extra,
  known: KnownFields,
): Update {
  const names = known.get(update.sessionUpdate);
  const others = names && otherFields(extra, names);
  return others ? { ...update, ...others } : update;
}
