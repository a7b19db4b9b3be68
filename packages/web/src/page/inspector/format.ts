/** Seconds since the beginning: `12.345`. */
export function formatOffset(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** The time of day with milliseconds, where the reader is. */
export function formatWall(timeMs: number): string {
  const date = new Date(timeMs);
  const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** `1 row`, `3 rows`. */
export function count(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}
