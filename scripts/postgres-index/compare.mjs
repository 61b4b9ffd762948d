#!/usr/bin/env node
/** Compares searches of an index on PostgreSQL and on SQLite: see main.ts. */
import { bundleAndRun } from '../bundle-and-run.mjs';

await bundleAndRun('postgres-index/main.ts', 'postgres-index.mjs');
