/** `verbatim source`: what is fetched into the index. */
import { Command } from 'commander';
import { sourceAddCommand } from './source-add.ts';
import { sourceListCommand } from './source-list.ts';
import { sourceRemoveCommand } from './source-remove.ts';
import { sourceUpdateCommand } from './source-update.ts';

export function sourceCommand(): Command {
  return new Command('source')
    .description('fetch papers from arXiv, OpenAlex, PubMed, Crossref, an address, or a folder')
    .addCommand(sourceAddCommand())
    .addCommand(sourceListCommand())
    .addCommand(sourceUpdateCommand())
    .addCommand(sourceRemoveCommand());
}
