#!/usr/bin/env node
/** Searches while one lane at a time misbehaves: see lanes/main.ts, or --help. Needs dist/. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('lanes/main.ts', 'lanes.js');
