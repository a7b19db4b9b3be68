import { createHash, timingSafeEqual } from 'node:crypto';
import { ListenError } from '../listen-error.ts';
import type { Authorize, ListenOptions } from '../listener.ts';

/** Whose sessions these are when nobody tells people apart: the one person at this machine, as the store calls them. */
const DEFAULT_PRINCIPAL = 'local';

/** Who may come in, as the options say it. */
export function readAuthorize({ token, tokens, authorize }: ListenOptions): Authorize {
  const hasTokens = token !== undefined || tokens !== undefined;
  if (hasTokens && authorize !== undefined) throw new ListenError('Give tokens or authorize, not both.');
  if (hasTokens) return checkTokens([...ownToken(token), ...Object.entries(tokens ?? {})]);
  if (authorize === undefined) {
    throw new ListenError(
      'Every program and web page that reaches the port could use this agent. Give a token, authorize(), or say authorize: "anyone".',
    );
  }
  return authorize === 'anyone' ? () => ({ principal: DEFAULT_PRINCIPAL }) : authorize;
}

function ownToken(token: string | undefined): [principal: string, token: string][] {
  return token === undefined ? [] : [[DEFAULT_PRINCIPAL, token]];
}

/**
 * Digests are compared, and all of them each time, so that time tells neither how much of a guess was right nor whose token it
 * was like.
 */
function checkTokens(tokens: readonly (readonly [principal: string, token: string])[]): Authorize {
  if (tokens.length === 0) throw new ListenError('There is no token in tokens; nobody could come in.');
  const known = tokens.map(([principal, token]) => ({ principal, expected: digest(requireToken(principal, token)) }));
  for (const [index, { principal, expected }] of known.entries()) {
    const other = known.slice(0, index).find((each) => each.expected.equals(expected) && each.principal !== principal);
    if (other)
      throw new ListenError(`"${other.principal}" and "${principal}" have the same token; give each their own.`);
  }
  return ({ token: given }) => {
    if (given === undefined) return undefined;
    const actual = digest(given);
    let found: string | undefined;
    for (const { principal, expected } of known) if (timingSafeEqual(actual, expected)) found = principal;
    return found === undefined ? undefined : { principal: found };
  };
}

function requireToken(principal: string, token: string): string {
  if (principal === '' || /\p{Cc}/u.test(principal))
    throw new ListenError('A principal needs a name of plain letters.');
  if (token !== '') return token;
  const whose = principal === DEFAULT_PRINCIPAL ? 'The token' : `The token of "${principal}"`;
  throw new ListenError(`${whose} is empty, which would let in everybody who sends none.`);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
