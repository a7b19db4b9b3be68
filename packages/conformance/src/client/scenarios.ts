import { faults } from './scenarios/faults.ts';
import { services } from './scenarios/services.ts';
import { setups } from './scenarios/setups.ts';
import { turns } from './scenarios/turns.ts';
import type { Scenario } from './scripted-agent.ts';

/** Every way in which a client is treated, by name. */
export const SCENARIOS: ReadonlyMap<string, Scenario> = new Map(
  [...setups, ...turns, ...faults, ...services].map((scenario) => [scenario.name, scenario]),
);
