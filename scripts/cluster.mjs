#!/usr/bin/env node
/** Runs a cluster on this machine and kills its parts: see cluster/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('cluster/main.ts', 'cluster.js');
