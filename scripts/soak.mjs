#!/usr/bin/env node
/** Serves many customers while lanes misbehave: see soak/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('soak/main.ts', 'soak.js');
