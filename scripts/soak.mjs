#!/usr/bin/env node
/** Many customers against lanes that misbehave: see soak/main.ts, or --help. Needs dist/. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('soak/main.ts', 'soak.js');
