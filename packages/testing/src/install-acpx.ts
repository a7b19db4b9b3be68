import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Acpx {
  /** The command's own file, for Node to run. */
  readonly program: string;
  /** The Node that it asks for. */
  readonly node: string;
}

const PACKAGES = ['node@22.23.3', 'acpx@0.19.1'];

/** Installs the command `acpx` from npm and the Node it needs into a folder, where both stay for next time. */
export function installAcpx(folder: string = join(tmpdir(), 'parley-interop-acpx')): Acpx {
  const acpx = {
    program: join(folder, 'node_modules/acpx/dist/cli.js'),
    node: join(folder, 'node_modules/node/bin/node'),
  };
  if (existsSync(acpx.program)) return acpx;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return acpx;
  throw new Error(`npm could not install ${PACKAGES.join(' and ')} into ${folder}: ${stderr}`);
}
