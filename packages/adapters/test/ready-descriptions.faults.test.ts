import { commandLineCases } from './command-line-cases.ts';
import { READY, readReady } from './ready.ts';

/** What programs do not write, whatever their description says. */
const LACKS = { amp: ['usage'], copilot: ['usage'], kimi: ['usage'] } as const;

for (const name of READY) {
  const lacks = Object.hasOwn(LACKS, name) ? LACKS[name as keyof typeof LACKS] : [];
  commandLineCases({ name, format: name, read: () => readReady(name), lacks });
}
