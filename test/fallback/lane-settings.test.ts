import { describe, expect, it } from 'vitest';
import { readSettings, type Settings } from '../../src/config.ts';
import { chosenLanes, trustedOrigins } from '../../src/fallback/lane-settings.ts';

const read = (given: Partial<Settings>): Settings => readSettings(given, {});
const contact = { laneContact: 'ops@example.org' };

describe('the lanes that are on', () => {
  it.each<[what: string, given: Partial<Settings>, providers: string[]]>([
    ['none without any setting', {}, []],
    ['all with a contact address', contact, ['arxiv', 'semantic_scholar', 'crossref']],
    ['none where that is said', { ...contact, lanes: 'none' }, []],
    [
      'those that are named, in our order',
      { ...contact, lanes: 'web, arxiv' },
      ['arxiv', 'crossref'],
    ],
    ['one that needs no contact address', { lanes: 'semantic_scholar' }, ['semantic_scholar']],
    ['OpenAlex without one', { lanes: 'web', webProvider: 'openalex' }, ['openalex']],
    [
      'SearXNG with an address',
      { lanes: 'web', webProvider: 'searxng', searxngUrl: 'http://127.0.0.1:8888' },
      ['searxng'],
    ],
    [
      'several of the web lane, in their order',
      { ...contact, lanes: 'web', webProvider: 'openalex, brave,crossref', braveKey: 'k' },
      ['openalex', 'brave', 'crossref'],
    ],
    ['Brave with a key', { lanes: 'web', webProvider: 'brave', braveKey: 'k' }, ['brave']],
  ])('are %s', (_what, given, providers) => {
    expect(chosenLanes(read(given)).flatMap((lane) => lane.providers)).toEqual(providers);
  });

  it.each<[what: string, given: Partial<Settings>, message: string]>([
    [
      'arXiv without a contact address',
      { lanes: 'arxiv' },
      'the lane of arxiv needs VERBATIM_LANE_CONTACT; without it, leave the lane out of VERBATIM_LANES',
    ],
    [
      'Crossref without one',
      { lanes: 'web' },
      'the lane of crossref needs VERBATIM_LANE_CONTACT; without it, leave the lane out of VERBATIM_LANES',
    ],
    [
      'SearXNG without an address',
      { ...contact, webProvider: 'searxng' },
      'the lane of searxng needs VERBATIM_SEARXNG_URL; without it, leave the lane out of VERBATIM_LANES',
    ],
    [
      'Brave without a key',
      { ...contact, webProvider: 'brave' },
      'the lane of brave needs VERBATIM_BRAVE_KEY; without it, leave the lane out of VERBATIM_LANES',
    ],
    [
      'an unknown lane',
      { lanes: 'arxiv,pubmed' },
      'VERBATIM_LANES must be some of arxiv,semantic_scholar,web, or none',
    ],
    [
      'an unknown provider',
      { ...contact, webProvider: 'google' },
      'VERBATIM_WEB_PROVIDER must be some of crossref, europepmc, openalex, searxng, brave, each once',
    ],
    [
      'a provider twice',
      { ...contact, webProvider: 'crossref,openalex,crossref' },
      'VERBATIM_WEB_PROVIDER must be some of crossref, europepmc, openalex, searxng, brave, each once',
    ],
    [
      'a second provider without what it needs',
      { ...contact, webProvider: 'crossref,brave' },
      'the lane of brave needs VERBATIM_BRAVE_KEY; without it, leave the lane out of VERBATIM_LANES',
    ],
    [
      'a contact that is no address',
      { laneContact: 'ops' },
      'VERBATIM_LANE_CONTACT must be an e-mail address',
    ],
    [
      'a contact with a second header',
      { laneContact: 'a@b\r\nX: 1' },
      'VERBATIM_LANE_CONTACT must be an e-mail address',
    ],
    [
      'a key with a line break',
      { ...contact, braveKey: 'top\nsecret' },
      'VERBATIM_BRAVE_KEY must be printable characters without blanks',
    ],
    [
      'an address that is none',
      { ...contact, arxivUrl: 'arxiv.org' },
      'VERBATIM_ARXIV_URL must be an http or https address without a user name',
    ],
    [
      'an address of another kind',
      { ...contact, openalexUrl: 'file:///etc/passwd' },
      'VERBATIM_OPENALEX_URL must be an http or https address without a user name',
    ],
    [
      'an address with a password',
      { ...contact, searxngUrl: 'http://me:secret@ex.org' },
      'VERBATIM_SEARXNG_URL must be an http or https address without a user name',
    ],
  ])('are refused for %s', (_what, given, message) => {
    expect(() => chosenLanes(read(given))).toThrow(
      expect.objectContaining({ code: 'usage', message }),
    );
  });
});

it('origins that the operator named are trusted, the defaults are not', () => {
  expect(trustedOrigins(read({}))).toEqual(new Set());
  const given = { arxivUrl: 'http://127.0.0.1:9/x', searxngUrl: 'http://searx.lan/' };
  expect(trustedOrigins(read(given))).toEqual(new Set(['http://127.0.0.1:9', 'http://searx.lan']));
});
