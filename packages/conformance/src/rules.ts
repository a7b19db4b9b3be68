import { AGENT_CHECKS } from './agent/agent-checks.ts';
import { CLIENT_CHECKS } from './client/client-checks.ts';

/** How many rules the specification comes down to; checks name them by number in `rules`. */
export const RULE_COUNT = 155;

const VERSION_2 = 'It is a rule of version 2 only; version 1 is checked.';
const NETWORK = 'It is a rule of the network transports; stdio is checked.';
const DISPLAY = 'It is about what a person is shown, which does not cross the wire.';

/** Rules without a check, and why there is none. */
export const UNCHECKED_RULES: Readonly<Record<number, string>> = {
  19: VERSION_2,
  25: 'It binds proxies, which pass on what they do not know. An agent or a client has nobody to pass it on to.',
  31: VERSION_2,
  36: DISPLAY,
  39: VERSION_2,
  45: 'Logging in happens in the person’s terminal and ends with an exit code, none of which crosses the wire.',
  47: VERSION_2,
  53: 'What a tool may open shows only when the model tries to leave the roots, which no prompt makes every model do.',
  58: 'Which directories are in force after a load shows only in what tools may open; see rule 53.',
  71: VERSION_2,
  72: VERSION_2,
  73: VERSION_2,
  74: VERSION_2,
  86: 'It allows something; there is nothing that it forbids.',
  87: 'Nothing makes every model refuse, and what it remembers afterwards cannot be seen.',
  89: VERSION_2,
  90: VERSION_2,
  91: VERSION_2,
  92: VERSION_2,
  93: VERSION_2,
  94: VERSION_2,
  95: VERSION_2,
  97: VERSION_2,
  99: DISPLAY,
  100: DISPLAY,
  103: DISPLAY,
  105: DISPLAY,
  108: 'It allows something; there is nothing that it forbids.',
  109: VERSION_2,
  110: VERSION_2,
  111: VERSION_2,
  112: VERSION_2,
  113: VERSION_2,
  114: VERSION_2,
  116: VERSION_2,
  130: 'A client does not say on the wire whether it keeps files to the session’s roots.',
  140: DISPLAY,
  145: 'Aborts for inner reasons, such as limits and shutdown, cannot be brought about from outside.',
  146: 'Cancelling nested requests is optional, and one that is merely dropped looks the same from outside.',
  148: NETWORK,
  149: NETWORK,
  150: NETWORK,
  151: NETWORK,
  152: NETWORK,
  153: NETWORK,
  154: NETWORK,
  155: NETWORK,
};

/** The checks that stand on a rule, of agents and of clients. */
export function checksOfRule(rule: number): readonly string[] {
  return [...AGENT_CHECKS, ...CLIENT_CHECKS].filter(({ rules }) => rules.includes(rule)).map(({ id }) => id);
}
