#!/usr/bin/env node
/** Feeds the program with malformed and unusual input: see fuzz/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('fuzz/main.ts', 'fuzz.js');
