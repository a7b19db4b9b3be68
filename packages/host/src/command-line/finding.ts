/** One line of a command that looks for faults, such as `parley doctor`. */
export interface Finding {
  readonly name: string;
  /** `note`: worth knowing, nothing wrong. `warn`: works, but not as it could. */
  readonly verdict: 'ok' | 'note' | 'warn' | 'fail';
  readonly says: string;
  /** One command, or one thing to do, that helps. */
  readonly fix?: string;
}

export function ok(name: string, says: string): Finding {
  return { name, verdict: 'ok', says };
}

export function note(name: string, says: string): Finding {
  return { name, verdict: 'note', says };
}

export function warn(name: string, says: string, fix: string): Finding {
  return { name, verdict: 'warn', says, fix };
}

export function fail(name: string, says: string, fix: string): Finding {
  return { name, verdict: 'fail', says, fix };
}
