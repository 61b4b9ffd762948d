#!/usr/bin/env node
/** Prints what sentences are chosen by: see scripts/evaluate-answers/features.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('evaluate-answers/features.ts', 'answer-features.mjs');
