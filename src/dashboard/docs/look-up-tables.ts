/** The tables of the look-ups: the source of the page /docs and of src/http/API.md, as in tables.ts. */
import { changesFields } from '../../http/changes-endpoint.ts';
import { type DocsTable, fieldTableOf, tableOf } from './table.ts';

export const verifyRequestFields = tableOf('Fields of /v1/verify', ['field', 'rules'], {
  items: 'required: 1 to 100 objects with the fields below',
  include: '`assessment` adds to each reference whether there is such a work',
  lanes:
    'the [fallback lanes](../lanes/README.md) that look up the references that the index does not have, as in a search. The default is none',
});

export const referenceVerdicts = tableOf('Verdicts about references', ['`verdict`', 'meaning'], {
  match: 'the work is in the index, and no field differs',
  match_unverified:
    'the same, but no record speaks of an identifier or of authors that were given: `reason` names them',
  match_with_errors:
    'it is the work; `fields` has what differs, and `corrected` the reference with the right values',
  possible_match: 'a similar title, but other authors',
  conflict: 'the identifier of one work with the title of another',
  not_found: 'the index has no such work, which it may lack',
  unreadable: 'there is nothing to look up',
});

export const referenceAssessments = tableOf(
  'Assessments of references',
  ['`assessment`', 'meaning'],
  {
    likely_real: 'the work is in the index, perhaps with another venue, year, or co-author',
    likely_fabricated:
      'it contradicts itself: the identifier of another work; the title, year, and venue of a work by entirely other people; a title with one word replaced and all else right. Or it is not found where a true one would be: the operator declares the index complete for it, or it is the only one of at least 38 references, one of 2 of 85, or one of 3 of 138',
    cannot_tell: 'anything else: above all, what is not found',
  },
);

export const verifyLaneFields = tableOf(
  'Fields of a reference that was looked up',
  ['field', 'meaning'],
  {
    src: 'the lane that has the work: all other fields are about its record. Absent if no lane has it',
    lanes:
      'what each lane said: `answered` (it has no such work, unless `src` names it), `no_answer` (it failed, was too late, or its pace held the request back), `not_asked` (the reference has nothing that it looks for, or the call has more references than are looked up), or `not_allowed` (by the operator, the account, or the key)',
  },
);

export const verifyFields: DocsTable = {
  caption: 'Fields of an item to verify',
  heads: ['field of an item', 'type', 'rules'],
  rows: [
    ['`quote`', 'string', '1 to 4,000 characters. Without `id` at least 3 words'],
    [
      '`id`',
      'string',
      'any identifier of the paper that is quoted, up to 2,000 characters. Without it the whole index is searched',
    ],
    [
      '`reference`',
      'string',
      'one entry in BibTeX or RIS, the reference as printed, or an identifier alone, up to 20,000 characters',
    ],
    [
      '`reference`',
      'object',
      'a CSL-JSON item, or `title`, `authors` (array of names), `year`, `venue`, and identifiers: `doi`, `arxiv`, `pmid`, `pmcid`, `acl`, `openalex`, `s2`',
    ],
    [
      '`references`',
      'string',
      'a bibliography as one text, up to 64,000 characters. Each reference in it is an item of the answer with its place: `start` and `end`, in Unicode code points, the end exclusive',
    ],
  ],
};

export const changeKindsOfQuotes = tableOf(
  'Kinds of `changes` of a quote that is `near`',
  ['kind', 'what the quote changed'],
  {
    number: 'a number: another value, one more, or one less',
    unit: 'a unit: `mg` for `g`, weeks for days, a missing `%`',
    negation: 'a negation: added, left out, or put in the place of another word',
    direction: 'the opposite: fell for rose, before for after, unstable for stable, `>` for `<`',
    join: 'parts of two sentences follow each other as if they stood together',
    omission: 'words are missing, and nothing shows it',
    marked_omission: 'words are missing, and an ellipsis shows it',
    addition: 'words that the source does not have',
    word: 'other words',
    spelling: 'the same word or value, written otherwise; also a typing error or another case',
    punctuation: 'punctuation marks',
  },
);

export const paperParameters = tableOf('Parameters of /v1/paper', ['parameter', 'rules'], {
  id: 'required: any identifier of a paper in any spelling, such as a DOI, an arXiv id, a PMID, an address that contains one of these, or `d` of a result. Up to 100, repeated or separated by commas',
  include:
    'comma-separated names of lists: `references` for what a paper cites, `cited_by` for the papers that cite it. Only in JSON. Of several papers, the answer has only the counts',
  cursor: '`cursor` of a list: the answer has its next page. For one id, and one name in `include`',
});

export const paperFormats = tableOf('Formats of papers, by Accept', ['media type', 'format'], {
  'application/json': 'the fields below; the default',
  'application/x-bibtex': 'BibTeX',
  'application/x-research-info-systems': 'RIS',
  'application/vnd.citationstyles.csl+json': 'CSL-JSON',
});

export const paperFields = tableOf('Fields of papers', ['field', 'meaning'], {
  n: 'number of papers',
  papers: 'objects with the fields below, in the order of the ids',
  unknown: 'the ids that no paper has; in every format also in `X-Unknown-Ids`',
  asked: 'the id of the request',
  'd, t, y': 'id, title, and year, as in a search',
  'authors, venue, identifiers, type, open_access, citation_count, retraction':
    'as with `include` in a search',
  ab: 'the abstract; empty if the index has none',
  url: 'the address of the paper. Absent if its id has none',
  citation: 'the paper as one line of a list of references',
  notices:
    'what journals announced, the latest first: objects with `kind` (`retraction`, `withdrawal`, `expression_of_concern`, `correction`, or `reinstatement`), `date`, and `id`; the last two are empty if unknown. Absent if nothing is known',
});

export const listFields = tableOf('Fields of lists of citations', ['field', 'meaning'], {
  'references, cited_by': 'with `include`: objects with the fields below',
  count:
    'the papers of the index, and the works that it does not have. It is not `citation_count`, which a source counted',
  indexed: 'how many of them the index has',
  papers:
    'up to 50 entries, the newest first: `d`, `t`, `y`, and `a` as in a search, and `retraction` of retracted and withdrawn papers. Works that the index does not have come last, each with its `d`, or with the printed reference as `text`. Where the rules of `/v1/verify` find its paper, it has `verdict`, `d`, and `t`, too',
  cursor: 'where the next page begins. Absent after the last one',
});

export const similarParameters = tableOf('Parameters of /v1/similar', ['parameter', 'rules'], {
  id: 'required: one identifier, as above',
  'limit, fields, include, sentences, min_score, sort, max_tokens':
    'as in a search; but there is no question, so `answers` adds nothing',
  exclude: 'as in a search: ids, repeated or separated by commas',
  filter:
    'as in a search: the object as JSON, percent-encoded. A very long one is beyond the limit of headers',
});

export const changesParameters = fieldTableOf('Parameters of /v1/changes', 'rules', changesFields, {
  since:
    'a date, or a time with its zone, as in `2026-11-21T09:30:00Z`. Required for the first call',
  cursor: '`cursor` of an earlier answer, instead of `since`',
  limit: 'the maximum number of changes, 1 to 1,000. The default is 100',
});

export const changesAnswer = tableOf('Fields of changes', ['field', 'meaning'], {
  changes:
    'objects with the fields below: each paper once, with its last change, the earliest first',
  cursor: 'where to go on: nothing is missed between two calls',
  more: 'whether there are more changes now',
  d: 'id, as in a search. A paper whose id changes is `removed`, and `added` with the new one',
  kind: '`added`: the paper came since your last call without `more`, and may have changed again; `changed`: its title, abstract, year, authors, or venue; `withdrawn`: it is no longer among the results',
  reason: 'of a `withdrawn` paper: `retracted`, `withdrawn`, or `removed` from the index',
  at: 'when the index was changed, in UTC',
  't, y': 'title, and year (0 if unknown). Absent if the index does not have the paper',
});
