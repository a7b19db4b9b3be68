import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '@parley/host/places';
import type { Places } from '../places.ts';
import { isRecord } from './check-config.ts';

/** A file of a project that may choose what runs. */
export interface TrustedFile {
  readonly path: string;
  readonly text: string;
}

/** Whether the person has said that this project file, with exactly this content, may choose what runs and is allowed. */
export async function isTrusted({ path, text }: TrustedFile, places: Places): Promise<boolean> {
  const trusted = await readTrusted(places);
  return trusted[path] === fingerprint(text);
}

/** Trusts a project file as it is now; a change to it takes the trust away. */
export async function trust({ path, text }: TrustedFile, places: Places): Promise<void> {
  const trusted = { ...(await readTrusted(places)), [path]: fingerprint(text) };
  await makeFolder(dirname(trustFile(places)));
  await writeFile(trustFile(places), `${JSON.stringify(trusted, null, 2)}\n`, { mode: 0o600 });
}

const trustFile = ({ state }: Places): string => join(state, 'trusted-projects.json');

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex');

async function readTrusted(places: Places): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(trustFile(places), 'utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
