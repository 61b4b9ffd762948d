export function refuseNewerSymbols(bytes: Buffer, path: string): void;
export function withoutSections(bytes: Buffer): Buffer;
