/** All targets, cheap ones first. */
import type { FuzzTarget } from './run-target.ts';
import { archives } from './targets/archives.ts';
import { body, calls } from './targets/calls.ts';
import { http } from './targets/http.ts';
import { records } from './targets/records.ts';
import { search } from './targets/search.ts';

export const targets: readonly FuzzTarget[] = [body, calls, archives, records, search, http];
