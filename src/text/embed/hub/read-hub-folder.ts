/**
 * Reads what a model folder says of itself, as hubs lay it out: config.json, and of sentence-transformers
 * modules.json, the folders of its modules, and its prompts.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { DenseFile, Pooling } from '../manifest.ts';
import { unusable } from '../manifest.ts';
import { TOKENIZER_FILE } from '../model.ts';
import { findPickle, type Json, readJson } from './hub-files.ts';

/** Titles and sentences have fewer. The cost of attention grows with the square of the length. */
const TOKENS_MAX = 512;

export interface HubFolder {
  name: string;
  tokensMax: number;
  /** undefined if the folder does not say. */
  pooling: Pooling | undefined;
  dense: DenseFile[];
  queryPrefix: string;
  documentPrefix: string;
}

interface Module {
  type: string;
  path: string;
}

/** Throws `model_unusable`, which names the file that cannot be used, and why. */
export function readHubFolder(folder: string): HubFolder {
  const config = readJson(folder, 'config.json');
  if (config === undefined) throw unusable(folder, 'config.json is missing');
  assertEncoder(folder, config);
  if (!existsSync(join(folder, TOKENIZER_FILE))) {
    throw unusable(folder, `${TOKENIZER_FILE} is missing; a vocabulary alone is not enough`);
  }
  const modules = readModules(folder);
  return {
    name: nameOf(folder, config),
    tokensMax: readTokensMax(folder, config),
    pooling: readPooling(folder, modules),
    dense: modules
      .filter(({ type }) => kindOf(type) === 'Dense')
      .map((one) => readDense(folder, one)),
    ...readPrompts(folder),
  };
}

function readModules(folder: string): Module[] {
  const modules = readJson<Module[]>(folder, 'modules.json');
  if (modules !== undefined) return modules;
  // Without the list, a layer would be left out silently.
  const layer = readdirSync(folder).find((name) => /^\d+_(?!Pooling|Normalize)/.test(name));
  if (layer === undefined) return [];
  throw unusable(folder, `modules.json is missing, which says what ${layer} is`);
}

function assertEncoder(folder: string, config: Json): void {
  const architectures = (config['architectures'] ?? []) as string[];
  const decoder = architectures.find((name) => /CausalLM$|ConditionalGeneration$/.test(name));
  if (decoder !== undefined || config['is_decoder'] === true) {
    const shown = decoder === undefined ? '' : ` (${decoder})`;
    throw unusable(folder, `config.json: this is a decoder${shown}, not an encoder of texts`);
  }
  const classifier = architectures.find((name) => name.endsWith('Classification'));
  if (classifier !== undefined) {
    throw unusable(
      folder,
      `config.json: ${classifier} scores texts, it does not embed them; VERBATIM_RERANKER takes a reranker`,
    );
  }
}

function nameOf(folder: string, config: Json): string {
  const published = config['_name_or_path'];
  const isName = typeof published === 'string' && /^[\w.-]+\/[\w.-]+$/.test(published);
  return basename(isName ? published : resolve(folder));
}

function readTokensMax(folder: string, config: Json): number {
  const sentence = readJson(folder, 'sentence_bert_config.json');
  const tokenizer = readJson(folder, 'tokenizer_config.json');
  const positions = Number(config['max_position_embeddings'] ?? TOKENS_MAX);
  // RoBERTa counts positions from the number after that of the padding.
  const reserved = /roberta|camembert|mpnet/.test(String(config['model_type'])) ? 2 : 0;
  const limits = [sentence?.['max_seq_length'], tokenizer?.['model_max_length']];
  const known = limits.filter((limit): limit is number => typeof limit === 'number' && limit > 2);
  return Math.min(TOKENS_MAX, positions - reserved, ...known);
}

/** `sentence_transformers.models.Pooling` is a Pooling. */
function kindOf(type: string): string {
  return type.split('.').at(-1) ?? '';
}

const poolings: Readonly<Record<string, Pooling>> = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_lasttoken: 'last',
  cls: 'cls',
  mean: 'mean',
  lasttoken: 'last',
};

function readPooling(folder: string, modules: readonly Module[]): Pooling | undefined {
  const known = ['Transformer', 'Pooling', 'Dense', 'Normalize'];
  const other = modules.find(({ type }) => !known.includes(kindOf(type)));
  if (other !== undefined) {
    throw unusable(folder, `modules.json: the module ${other.type} is not supported`);
  }
  const path = modules.find(({ type }) => kindOf(type) === 'Pooling')?.path ?? '1_Pooling';
  const file = `${path}/config.json`;
  const config = readJson(folder, file);
  if (config === undefined) return undefined;
  if (config['include_prompt'] === false) {
    throw unusable(folder, `${file}: pooling without the prompt is not supported`);
  }
  const modes =
    typeof config['pooling_mode'] === 'string'
      ? [config['pooling_mode']]
      : Object.keys(config).filter((key) => /^pooling_mode_/.test(key) && config[key] === true);
  const [mode = 'none', ...others] = modes;
  const pooling = poolings[mode];
  if (pooling !== undefined && others.length === 0) return pooling;
  throw unusable(folder, `${file}: ${modes.join(' with ') || mode} is not supported`);
}

const activations: Readonly<Record<string, DenseFile['activation']>> = {
  'torch.nn.modules.activation.Tanh': 'tanh',
  'torch.nn.modules.linear.Identity': 'identity',
};

function readDense(folder: string, { path }: Module): DenseFile {
  const config = readJson(folder, `${path}/config.json`);
  const name = String(config?.['activation_function']);
  const activation = activations[name];
  if (activation === undefined) {
    throw unusable(folder, `${path}/config.json: the activation ${name} is not supported`);
  }
  const file = `${path}/model.safetensors`;
  if (existsSync(join(folder, file))) return { file, activation };
  const pickle = findPickle(join(folder, path));
  const found = pickle === undefined ? '' : `; ${path}/${pickle} is a pickle, which is never read`;
  throw unusable(folder, `${file} is missing${found}`);
}

/** By what models call their prompts, the most common first. */
const QUERY_PROMPTS = ['query', 'search_query', 'retrieval.query', 's2p_query', 'Retrieval-query'];
const DOCUMENT_PROMPTS = ['document', 'passage', 'search_document', 'retrieval.passage', 'corpus'];

function readPrompts(folder: string): Pick<HubFolder, 'queryPrefix' | 'documentPrefix'> {
  const config = readJson(folder, 'config_sentence_transformers.json');
  const prompts = (config?.['prompts'] ?? {}) as Readonly<Record<string, string>>;
  const promptOf = (names: readonly string[]): string =>
    prompts[names.find((name) => typeof prompts[name] === 'string') ?? ''] ?? '';
  return { queryPrefix: promptOf(QUERY_PROMPTS), documentPrefix: promptOf(DOCUMENT_PROMPTS) };
}
