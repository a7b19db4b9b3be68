import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { VERSION } from '../version.ts';

interface Dependencies {
  readonly [name: string]: string;
}

/** As much of a package.json as a scaffold changes. */
export interface Manifest {
  name?: string;
  scripts?: Record<string, string>;
  dependencies?: Dependencies;
  devDependencies?: Dependencies;
}

/**
 * Where new projects get their packages from. An installed command names versions: its own for the packages of Parley. A command
 * that runs from a checkout names folders of the checkout, so that nothing is fetched and nothing has to be published.
 */
export interface PackageSource {
  readonly isCheckout: boolean;
  specify(name: string, version: string): string;
}

/** The source for the command whose package is in `packageRoot`. */
export function findPackages(packageRoot: string): PackageSource {
  const packages = dirname(packageRoot);
  const isInstalled = packageRoot.split(sep).includes('node_modules');
  const isCheckout = !isInstalled && basename(packages) === 'packages' && existsSync(join(packages, 'agent', 'src'));
  return {
    isCheckout,
    specify(name, version) {
      const isOurs = name.startsWith('@parley/');
      const folder = isOurs
        ? join(packages, name.slice('@parley/'.length))
        : join(dirname(packages), 'node_modules', name);
      if (isCheckout && existsSync(join(folder, 'package.json'))) return `file:${folder.replaceAll('\\', '/')}`;
      return isOurs ? `^${VERSION}` : version;
    },
  };
}

export function linkDependencies(dependencies: Dependencies, source: PackageSource): Dependencies {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, version]) => [name, source.specify(name, version)]),
  );
}
