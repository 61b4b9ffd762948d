export function differencesOf(given: string, made: string, work: string): string[];
