import { faults } from './faults.ts';
import type { Scenario } from './scripted-agent.ts';
import { secondVersion } from './second-version.ts';
import { services } from './services.ts';
import { setups } from './setups.ts';
import { turns } from './turns.ts';

/** Every way in which a client is treated, by name. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [...setups, ...turns, ...faults, ...services, ...secondVersion].map((scenario) => [scenario.name, scenario]),
);
