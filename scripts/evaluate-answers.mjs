#!/usr/bin/env node
/** Measures whether quoted sentences answer: see scripts/evaluate-answers/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('evaluate-answers/main.ts', 'evaluate-answers.mjs');
