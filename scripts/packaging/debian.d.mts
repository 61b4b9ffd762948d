export interface DebianPackageOptions {
  /** The single file. */
  file: string;
  /** Its bill of materials. */
  sbom: string;
  /** The folder that takes the package. */
  out: string;
  /** Takes temporary files. */
  work: string;
  version: string;
  /** Debian's name of the processor. */
  arch: string;
  /** The time stamp of everything inside. */
  seconds: number;
}

export function buildDebianPackage(options: DebianPackageOptions): Promise<string>;
