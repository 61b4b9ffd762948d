/** All targets, cheap ones first. */
import type { FuzzTarget } from './run-target.ts';
import { archives } from './targets/archives.ts';
import { body, calls } from './targets/calls.ts';
import { http } from './targets/http.ts';
import { ids } from './targets/ids.ts';
import { ledger } from './targets/ledger.ts';
import { records } from './targets/records.ts';
import { search } from './targets/search.ts';
import { sentences } from './targets/sentences.ts';

export const targets: readonly FuzzTarget[] = [
  ...[ids, body, calls, sentences, ledger, archives, records, search, http],
];
