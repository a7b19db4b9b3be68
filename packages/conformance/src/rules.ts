import { AGENT_CHECKS, agentChecks } from './agent/agent-checks.ts';
import { CLIENT_CHECKS, clientChecks } from './client/client-checks.ts';
import type { Protocol } from './versions/protocol.ts';

/** How many rules the specification comes down to, in both versions; checks name them by number in `rules`. */
export const RULE_COUNT = 155;

const NETWORK = 'It is a rule of the network transports; stdio is checked.';
const DISPLAY = 'It is about what a person is shown, which does not cross the wire.';

/** Rules without a check, and why there is none. */
export const UNCHECKED_RULES: Readonly<Record<number, string>> = {
  25: 'It binds proxies, which pass on what they do not know. An agent or a client has nobody to pass it on to.',
  36: DISPLAY,
  45: 'Logging in happens in the person’s terminal and ends with an exit code, none of which crosses the wire.',
  53: 'What a tool may open shows only when the model tries to leave the roots, which no prompt makes every model do.',
  58: 'Which directories are in force after a load shows only in what tools may open; see rule 53.',
  73: 'What a client takes the state of a session for does not cross the wire.',
  86: 'It allows something; there is nothing that it forbids.',
  87: 'Nothing makes every model refuse, and what it remembers afterwards cannot be seen.',
  99: DISPLAY,
  100: DISPLAY,
  103: DISPLAY,
  105: DISPLAY,
  108: 'It allows something; there is nothing that it forbids.',
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

/** Rules of version 1 alone. */
export const FIRST_VERSION_RULES: readonly number[] = [
  18, 29, 30, 37, 38, 41, 42, 44, 46, 48, 54, 55, 60, 61, 62, 63, 64, 77, 78, 79, 80, 81, 86, 87, 88, 98, 99, 100, 101,
  103, 104, 105, 115, 120, 122, 123, 124, 125, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137,
];

/** Rules that came with version 2. The others are those of both. */
export const SECOND_VERSION_RULES: readonly number[] = [
  19, 31, 39, 47, 71, 72, 73, 74, 89, 90, 91, 92, 93, 94, 95, 97, 109, 110, 111, 112, 113, 114, 116,
];

/** The checks that stand on a rule, of agents and of clients; in one version, or in any. */
export function checksOfRule(rule: number, protocol?: Protocol): readonly string[] {
  const checks =
    protocol === undefined
      ? [...AGENT_CHECKS, ...CLIENT_CHECKS]
      : [...agentChecks(protocol), ...clientChecks(protocol)];
  return checks.filter(({ rules }) => rules.includes(rule)).map(({ id }) => id);
}
