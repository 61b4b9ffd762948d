/** `verbatim source add`: adds a source, after it told what will be contacted. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { isBaseAddress } from '../../lanes/lane-settings.ts';
import {
  LAST_YEAR,
  newState,
  type SourceOptions,
  type SourceSettings,
} from '../../sources/ports/source.ts';
import { announce, providerNamed, providers } from '../../sources/providers.ts';
import { type CommonOptions, settingsOf, withModelOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import {
  type RecordFilterOptions,
  selectionOf,
  withRecordFilterOptions,
} from '../index/selection-options.ts';
import { askWhether } from '../init/ask-whether.ts';
import { describeAnnouncement } from './announce.ts';
import { withSources } from './with-sources.ts';

interface AddOptions extends CommonOptions, RecordFilterOptions, SourceOptions {
  name?: string;
  yes?: boolean;
  later?: boolean;
  dropAbstracts?: boolean;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function sourceAddCommand(): Command {
  const list = providers.map(({ name, description }) => `  ${name.padEnd(9)} ${description}`);
  const command = withModelOptions(new Command('add'))
    .description('add a source of papers, and fetch them')
    .argument('<what>', 'a provider, an address (https://...), or a folder (./papers)')
    .option('--name <name>', 'what the source is called (default: made of what is fetched)')
    .option('--set <set>', 'a set of the provider, such as cs')
    .option('--filter <filter>', 'a filter in the words of the provider')
    .option('--from <day>', 'a day or year: only what is from then on')
    .option('--url <address>', 'a mirror of the provider')
    .option('--drop-abstracts', 'let a record lose its abstract if it comes back without one')
    .option('--yes', 'do not ask')
    .option('--later', 'only add it; `source update` fetches it');
  return withRecordFilterOptions(command)
    .addHelpText(
      'after',
      `
Providers:
${list.join('\n')}

Examples:
  verbatim source add arxiv --set cs --from 2024-01-01
  verbatim source add https://example.org/papers.jsonl.gz --name ours
  verbatim source add ./papers --language en --with-abstract

The command first tells which host it will contact, what it sends, how much it fetches, and the
license of the metadata, and asks. Nothing else is contacted. Ctrl-C stops it, and \`source update\`
goes on from there.`,
    )
    .action(async (what: string, options: AddOptions) => {
      const settings = settingsOf(options);
      const source = sourceOf(what, options);
      const announcement = announce(source, settings);
      const name = options.name ?? defaultName(source);
      if (!NAME.test(name)) {
        throw new VerbatimError(
          'usage',
          `"${name}" is no name of a source: use up to 64 of a-z, 0-9, ".", "_", and "-" (--name)`,
        );
      }
      if (!options.json) {
        const { size } = announcement;
        const { estimateEmbedding } = await import('./estimate-embedding.ts');
        const embedding = size && (await estimateEmbedding(size.records, settings));
        process.stderr.write(`${describeAnnouncement(announcement, embedding)}\n`);
      }
      if (options.yes !== true) await askWhether(`Add ${name}?`, 'nothing was added');
      await withSources(settings, async (store, sources) => {
        if (sources.length >= settings.sourcesMax) {
          throw new VerbatimError('usage', `there are ${settings.sourcesMax} sources already`);
        }
        if (!(await store.add({ name, settings: source, state: newState }))) {
          throw new VerbatimError('already_exists', `there is a source "${name}"; use --name`);
        }
      });
      if (options.later === true) {
        if (options.json) printJson({ name, ...announcement });
        else print(`added ${name}; fetch it with: verbatim source update ${name}`);
        return;
      }
      const { updateSources } = await import('./update-sources.ts');
      await updateSources([name], { settings, json: options.json ?? false });
    });
}

/** Throws `usage` for options that the provider does not take. */
function sourceOf(what: string, options: AddOptions): SourceSettings {
  const isPlace = /[/\\]|^\.{1,2}$/.test(what);
  const provider = providerNamed(isPlace ? 'files' : what);
  const own: SourceOptions = {};
  for (const name of ['set', 'filter', 'from'] as const) {
    const value = options[name];
    if (value === undefined) continue;
    if (!provider.takes.includes(name)) {
      throw new VerbatimError('usage', `${provider.name} takes no --${name}`);
    }
    own[name] = value;
  }
  const url = isPlace ? what : options.url;
  if (url !== undefined) own.url = placeOf(url, isPlace);
  const selection = selectionOf(options);
  // JSON has no infinity.
  if (selection.years?.to === Infinity) selection.years.to = LAST_YEAR;
  const dropsAbstracts = options.dropAbstracts ?? false;
  return { provider: provider.name, options: own, selection, dropsAbstracts };
}

/** The address, or the whole path of a folder: runs may be started elsewhere. Throws `usage` for no address. */
function placeOf(text: string, mayBeFolder: boolean): string {
  if (mayBeFolder && !/^https?:\/\//i.test(text)) return resolve(text);
  if (isBaseAddress(text)) return text;
  throw new VerbatimError(
    'usage',
    'it must be an http or https address without a user name and a password',
  );
}

function defaultName({ provider, options }: SourceSettings): string {
  const subject = providerNamed(provider).subjectOf(options);
  const text = provider === 'files' ? subject : `${provider}-${subject}`;
  return text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[-.]+$/g, '')
    .slice(0, 64);
}
