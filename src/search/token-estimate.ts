/** The estimate behind `X-Token-Budget` and `max_tokens`: about four characters per token. */

const CHARACTERS_PER_TOKEN = 4;

/** Returns the estimated tokens of a text of this many UTF-16 code units. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
