#!/usr/bin/env node
/** Measures Verbatim: see bench/main.ts, or --help. Needs dist/, as it measures what is in there. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('bench/main.ts', 'bench.js');
