#!/usr/bin/env node
/** Measures Verbatim: see bench/main.ts, or --help. It measures the program in dist/. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('bench/main.ts', 'bench.js');
