#!/usr/bin/env node
/** Measures the verification of references: see scripts/evaluate-references/main.ts. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('evaluate-references/main.ts', 'evaluate-references.mjs');
