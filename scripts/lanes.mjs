#!/usr/bin/env node
/** Measures searches while lanes misbehave: see lanes/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('lanes/main.ts', 'lanes.js');
