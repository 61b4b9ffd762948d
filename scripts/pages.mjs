#!/usr/bin/env node
/** Times each page of a server that has much to show: see pages/main.ts, or --help. */
import { bundleAndRun } from './bundle-and-run.mjs';

await bundleAndRun('pages/main.ts', 'pages.js');
