#!/usr/bin/env node
/** Builds an index of a file of several gigabytes: see large/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('large/main.ts', 'large.js');
