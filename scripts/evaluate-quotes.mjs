#!/usr/bin/env node
/** Measures the verification of quotes: see scripts/evaluate-references/quotes-main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('evaluate-references/quotes-main.ts', 'evaluate-quotes.mjs');
