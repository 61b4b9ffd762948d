export type Processor = 'x64' | 'arm64';

export interface AssembleOptions {
  /** The folder with `bin/node` and `app/`. */
  parts: string;
  unxz: string;
  file: string;
  /** Takes temporary files. */
  work: string;
  version: string;
  arch: Processor;
  /** The time stamp of everything inside. */
  seconds: number;
  /** xz's, 0 to 9. */
  preset: number;
}

export function compileUnpacker(arch: Processor, work: string): string;
export function assembleFile(options: AssembleOptions): string;
