import { findProgram } from '@parley/host/programs';
import { createBubblewrap, ISOLATIONS } from './bubblewrap.ts';
import type { Confine, ConfineOptions, SandboxProfile } from './confine.ts';
import { proveDenial } from './prove-denial.ts';
import { createSeatbelt } from './seatbelt.ts';

/** A sandbox that was seen to hold, or why there is none. */
export type SandboxState =
  | {
      readonly isThere: true;
      readonly confine: Confine;
      /** The program behind it. */
      readonly command: string;
      /** Whether programs inside can make user namespaces of their own, which is a way to bugs of the kernel. */
      readonly hasUserNamespaces: boolean;
    }
  | {
      readonly isThere: false;
      /** A sentence for people and models. */
      readonly because: string;
      /** The package that has the missing program. */
      readonly missingPackage?: string;
    };

export interface OpenSandboxOptions extends Omit<ConfineOptions, 'profile'> {
  /** Default: `isolated`. */
  readonly profile?: SandboxProfile;
  /** Where `bwrap` is looked for. Default: the PATH. */
  readonly path?: string;
}

interface Proof {
  readonly isolation?: readonly string[];
  readonly failure?: string;
}

/** The proofs of this process, by program and profile. */
const proofs = new Map<string, Promise<Proof>>();

/** Finds the system's sandbox and proves, once per process and profile, that it denies what it should. Nothing is taken on trust. */
export async function openSandbox({
  path,
  profile = 'isolated',
  ...options
}: OpenSandboxOptions): Promise<SandboxState> {
  if (process.platform === 'darwin') return openSeatbelt({ ...options, profile }, path);
  if (process.platform !== 'linux') return missing(`${process.platform} has none that Parley can use`);
  const command = findProgram('bwrap', path === undefined ? {} : { env: { PATH: path } });
  if (command === undefined) {
    return { ...missing('bubblewrap (`bwrap`) is not installed on this machine'), missingPackage: 'bubblewrap' };
  }
  const { isolation, failure } = await proved(`${command} ${profile}`, () => proveBubblewrap(command, profile));
  return isolation === undefined
    ? missing(`bubblewrap does not hold here: ${failure}`)
    : {
        isThere: true,
        command,
        hasUserNamespaces: !isolation.includes('--disable-userns'),
        confine: createBubblewrap({ ...options, command, isolation, profile }),
      };
}

function missing(because: string): SandboxState & { readonly isThere: false } {
  return { isThere: false, because: `There is no sandbox: ${because}.` };
}

function proved(key: string, prove: () => Promise<Proof>): Promise<Proof> {
  const proof = proofs.get(key) ?? prove();
  proofs.set(key, proof);
  return proof;
}

/** Takes the strongest isolation that works here. The failure of the strongest is reported only where none works. */
async function proveBubblewrap(command: string, profile: SandboxProfile): Promise<Proof> {
  let failure: string | undefined;
  for (const isolation of ISOLATIONS) {
    failure = await proveDenial(profile, (roots) => createBubblewrap({ command, isolation, roots, profile }));
    if (failure === undefined) return { isolation };
  }
  return { failure: failure ?? '' };
}

/** Not tested on macOS yet. */
async function openSeatbelt(options: ConfineOptions, path: string | undefined): Promise<SandboxState> {
  const command = findProgram('sandbox-exec', path === undefined ? {} : { env: { PATH: path } });
  if (command === undefined) return missing('`sandbox-exec` is not on this machine');
  const { failure } = await proved(`${command} ${options.profile}`, async () => {
    const found = await proveDenial(options.profile, (roots) => createSeatbelt({ ...options, command, roots }));
    return found === undefined ? {} : { failure: found };
  });
  return failure === undefined
    ? { isThere: true, command, hasUserNamespaces: false, confine: createSeatbelt({ ...options, command }) }
    : missing(`sandbox-exec does not hold here: ${failure}`);
}
