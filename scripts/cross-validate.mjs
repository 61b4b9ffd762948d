#!/usr/bin/env node
/** Cross-validates the weights of the ranking: see scripts/cross-validate/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('cross-validate/main.ts', 'cross-validate.mjs');
