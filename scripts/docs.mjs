#!/usr/bin/env node
/** Generates documentation from tables in the code: see docs/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('docs/main.ts', 'docs.js');
