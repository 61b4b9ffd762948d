#!/usr/bin/env node
/** Builds an index of a file of gigabytes: see large/main.ts, or --help. Needs dist/. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('large/main.ts', 'large.js');
