/**
 * Fields beside those of the specification, as an agent sent them. They are kept with the event and written again in the
 * same place, so that what two peers have agreed on passes through those in between.
 */
export type Extra = Readonly<Record<string, unknown>>;

/** The fields of a version of the protocol in each kind of update that our events hold. */
export type KnownFields = ReadonlyMap<unknown, ReadonlySet<string>>;

/** Fields of the specification that our events have no place for: they travel beside them as well. */
const WITHOUT_PLACE: Readonly<Record<string, readonly string[]>> = {
  subagent_update: ['additionalDirectories'],
  session_message: ['senderMessageId', 'recipientMessageId'],
};

/** From the fields that the schema of a version has. */
export function knownFields(fields: Readonly<Record<string, readonly string[]>>): KnownFields {
  return new Map(
    Object.entries(fields).map(([kind, names]) => {
      const held = names.filter((name) => !WITHOUT_PLACE[kind]?.includes(name));
      return [kind, new Set(['sessionUpdate', '_meta', '__proto__', ...held])];
    }),
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
