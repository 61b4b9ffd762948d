#!/usr/bin/env node
/** Compares accounts on PostgreSQL and in the SQLite file: see bench-accounts/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('bench-accounts/main.ts', 'bench-accounts.js');
