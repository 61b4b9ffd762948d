/** `verbatim model add`: takes an embedding model as hubs publish it. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { languageCode } from '../../ingest/selection/language.ts';
import type { AddedModel } from '../../text/embed/hub/add-model.ts';
import type { HubChoices } from '../../text/embed/hub/plan-manifest.ts';
import { areLanguages, MULTILINGUAL } from '../../text/embed/manifest.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { type CommonOptions, parseCount, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import type { MoveEstimate } from './estimate-move.ts';

type AddOptions = CommonOptions & HubChoices;

export function modelAddCommand(): Command {
  return withStoreOptions(new Command('add'))
    .description('check a folder with an embedding model, measure it, and write its manifest')
    .argument('<folder>', 'the folder as model hubs lay it out')
    .option('--name <name>', 'name for people (default: that of the folder)')
    .option('--weights <file>', 'the graph in the folder, such as onnx/model_int8.onnx')
    .addOption(
      new Option('--pooling <how>', 'if the folder does not say').choices(['mean', 'cls', 'last']),
    )
    .option('--dimensions <n>', 'keep only the first n components of vectors', parseCount)
    .option('--query-prompt <text>', 'text before each query (default: what the folder says)')
    .option('--document-prompt <text>', 'text before each title and sentence')
    .option(
      '--languages <codes>',
      'languages that the model reads: en,de, or multilingual (default: en)',
      parseLanguages,
    )
    .addHelpText(
      'after',
      `
The folder has config.json, tokenizer.json, a graph (onnx/model.onnx), and for models of
sentence-transformers modules.json, 1_Pooling/config.json, and config_sentence_transformers.json.
Encoders of any architecture work whose graph takes tokens: BERT, MPNet, XLM-RoBERTa, ModernBERT, ...
Nothing is fetched, and nothing in the folder runs: pickles are refused.

Examples:
  verbatim model add models/e5-small --query-prompt 'query: ' --document-prompt 'passage: '
  verbatim model add models/nomic --weights onnx/model_int8.onnx --dimensions 256
  verbatim index reembed --model models/e5-small`,
    )
    .action(async (folder: string, options: AddOptions) => {
      const settings = settingsOf(options);
      const { addModel } = await import('../../text/embed/hub/add-model.ts');
      const { estimateMove } = await import('./estimate-move.ts');
      const added = await addModel(folder, options);
      const move = await estimateMove(settings, added.textsPerSecond);
      if (options.json) printJson({ folder, ...added, move });
      else print(describe(folder, added, move));
    });
}

function parseLanguages(text: string): NonNullable<HubChoices['languages']> {
  if (text === MULTILINGUAL) return MULTILINGUAL;
  const languages = text.split(',').map(languageCode);
  if (areLanguages(languages)) return languages;
  throw new InvalidArgumentError(`Codes of languages, such as en,de, or ${MULTILINGUAL}.`);
}

function describe(
  folder: string,
  { manifest, textsPerSecond, queryMs, memoryBytes }: AddedModel,
  move: MoveEstimate | undefined,
): string {
  const { name, dimensions, tokensMax, pooling, textsPerRun, languages = ['en'] } = manifest;
  const lines = [
    `${name}: ${dimensions} dimensions, ${tokensMax} tokens, pooling ${pooling}`,
    `one thread: ${formatNumber(Math.round(textsPerSecond))} texts/s, a query in ${queryMs.toFixed(1)} ms, ${formatBytes(memoryBytes)}`,
  ];
  if (languages !== MULTILINGUAL) {
    lines.push(`it reads ${languages.join(', ')}; say so with --languages if it reads others`);
  }
  if (textsPerRun === 1) {
    lines.push('a vector would depend on the others of its run, so each text is embedded alone');
  }
  if (move === undefined || move.texts === 0) {
    return [...lines, `Next: verbatim index add --model ${folder} FILE`].join('\n');
  }
  const texts = `${formatNumber(move.texts)} texts`;
  lines.push(`this index: ${texts}, about ${formatDuration(move.seconds)} to embed again`);
  return [...lines, `Next: verbatim index reembed --model ${folder}`].join('\n');
}
