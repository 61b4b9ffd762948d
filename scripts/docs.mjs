#!/usr/bin/env node
/** Writes the documents that are generated from tables in the code: see docs/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('docs/main.ts', 'docs.js');
