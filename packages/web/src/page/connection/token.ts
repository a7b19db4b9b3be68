const KEY = 'parley.token';

/**
 * The token of this server: from the fragment of the link (`#token=...`), which is taken off the address and its history at once,
 * or as it was kept for this origin.
 */
export function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    history.replaceState(null, '', `${location.pathname}${location.search}#/`);
    keepToken(given);
    return given;
  }
  return localStorage.getItem(KEY) ?? undefined;
}

export function keepToken(token: string): void {
  localStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  localStorage.removeItem(KEY);
}

/** Takes what somebody has pasted: the token itself, or the link that has it. */
export function readToken(text: string): string | undefined {
  const [, linked] = /[#&]token=([^&\s]+)/.exec(text) ?? [];
  const token = linked === undefined ? text.trim() : decode(linked);
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

/** Empty where it cannot be read. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
