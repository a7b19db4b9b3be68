/** Ends a `switch` over a closed union: the compiler refuses a kind that no branch took, and so does this at run time. */
export function assertNever(value: never): never {
  throw new TypeError(`No branch takes this value: ${describe(value)}`);
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { type, kind } = value as { readonly type?: unknown; readonly kind?: unknown };
  return `an object of ${type === undefined ? `kind ${String(kind)}` : `type ${String(type)}`}`;
}
