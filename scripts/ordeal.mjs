#!/usr/bin/env node
/** Puts a server under overload and through faults: see ordeal/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('ordeal/main.ts', 'ordeal.js');
