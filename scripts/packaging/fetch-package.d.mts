export function fetchPackage(
  input: { package: string; version: string; integrity: string },
  folder: string,
  members?: readonly string[],
): string;
