#!/usr/bin/env node
/** Measures searches with filters: see scripts/evaluate-filters/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('evaluate-filters/main.ts', 'evaluate-filters.mjs');
