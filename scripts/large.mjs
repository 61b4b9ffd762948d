#!/usr/bin/env node
/** Builds an index from a file of gigabytes: see large/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('large/main.ts', 'large.js');
