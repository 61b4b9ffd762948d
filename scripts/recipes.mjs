#!/usr/bin/env node
/** Runs the recipes of src/mcp/README.md: see recipes/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('recipes/main.ts', 'recipes.js');
