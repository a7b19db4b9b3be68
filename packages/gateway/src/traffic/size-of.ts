/** What a value costs about in memory, by its texts and the number of its fields. Nothing is copied. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  let size = VALUE_BYTES;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item);
  else for (const name in value) size += VALUE_BYTES + sizeOf((value as Record<string, unknown>)[name]);
  return size;
}

const VALUE_BYTES = 16;
