/** The option `--reranker`, of commands that search for one who waits for nobody else. */
import type { Command } from 'commander';
import type { Settings } from '../../settings/config.ts';

export interface RerankerOptions {
  reranker?: string;
}

export function withRerankerOption(command: Command): Command {
  return command.option('--reranker <dir>', 'folder of a reranker (default: VERBATIM_RERANKER)');
}

/** What the option says of settings. The limit on its time is for servers. */
export function rerankerSettings({ reranker }: RerankerOptions): Partial<Settings> {
  return { rerankMs: Infinity, ...(reranker !== undefined && { reranker, rerank: 'always' }) };
}
