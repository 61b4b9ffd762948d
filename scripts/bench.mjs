#!/usr/bin/env node
/** Measures the program in dist/: see bench/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('bench/main.ts', 'bench.js');
