/** Malformed and unusual input to searches, and to a server on the wire. */
import { testTargets } from './fuzz-target.ts';
import { http } from './targets/http.ts';
import { search } from './targets/search.ts';

testTargets([
  [search, 20],
  [http, 30],
]);
