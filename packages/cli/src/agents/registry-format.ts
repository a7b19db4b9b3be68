/** The format of the public ACP registry, as far as we use it. */
export interface Registry {
  readonly version: string;
  readonly agents: readonly RegistryAgent[];
}

export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly repository?: string;
  readonly website?: string;
  readonly distribution: Distribution;
}

export interface Distribution {
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  readonly binary?: Readonly<Record<string, BinaryDistribution>>;
}

export interface PackageDistribution {
  readonly package: string;
  /** The program in the package, where it is not the package's only one. */
  readonly cmd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface BinaryDistribution {
  readonly archive: string;
  readonly cmd: string;
  readonly args?: readonly string[];
}
