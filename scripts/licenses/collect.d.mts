export interface CollectedLicense {
  name: string;
  version: string;
  license: string;
  text: string;
}

export interface LicenseSources {
  /** The source tree. */
  top: string;
  /** esbuild's metafile, which names what is in the bundle. */
  metafile: { outputs: Record<string, { inputs: Record<string, unknown> }> };
  /** The folders of the packages beside the bundle. */
  folders: string[];
  /** What is no package. */
  parts: { name: string; version: string; license: string; file: string }[];
}

export function collectLicenses(sources: LicenseSources): CollectedLicense[];
