import { usageError } from '@parley/host/command-line';

/** `['a=1', 'b=2']` as a record. */
export function readAssignments(flag: string, list: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.map((each) => {
      const equals = each.indexOf('=');
      if (equals <= 0) throw usageError(`${flag} takes name=value, not "${each}".`);
      return [each.slice(0, equals), each.slice(equals + 1)];
    }),
  );
}
