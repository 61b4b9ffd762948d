#!/usr/bin/env node
/** Measures similar papers: see scripts/evaluate-similar/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('evaluate-similar/main.ts', 'evaluate-similar.mjs');
