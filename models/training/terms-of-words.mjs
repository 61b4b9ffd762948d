#!/usr/bin/env node
/**
 * Reads words, one on each line, and prints the number of each one's index term (src/text/terms.ts).
 * A stop word and a single character get an empty line.
 *
 *   node models/training/terms-of-words.mjs < words.txt > terms.txt
 */
import { readFileSync } from 'node:fs';
import { importSource } from '../../scripts/import-source.mjs';

const { stopTerms, termOf } = await importSource('src/text/terms.ts');
const words = readFileSync(0, 'utf8').split('\n').slice(0, -1);
const terms = words.map(termOf).map((term) => (stopTerms.has(term) ? '' : term));
process.stdout.write(`${terms.join('\n')}\n`);
