export function signFolder(folder: string, key: string, top: string): string;
