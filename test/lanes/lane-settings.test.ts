import { describe, expect, it } from 'vitest';
import { chosenLanes, trustedOrigins } from '../../src/lanes/lane-settings.ts';
import { readSettings, type Settings } from '../../src/settings/config.ts';

const read = (overrides: Partial<Settings>): Settings => readSettings(overrides, {});
const contact = { laneContact: 'ops@example.org' };

describe('chosenLanes', () => {
  it.each<[what: string, overrides: Partial<Settings>, providers: string[]]>([
    ['no lane by default', {}, []],
    ['all lanes with a contact address', contact, ['arxiv', 'semantic_scholar', 'crossref']],
    ['no lane for none', { ...contact, lanes: 'none' }, []],
    [
      'the named lanes, in the usual order',
      { ...contact, lanes: 'web, arxiv' },
      ['arxiv', 'crossref'],
    ],
    ['a lane that needs no contact address', { lanes: 'semantic_scholar' }, ['semantic_scholar']],
    ['OpenAlex without one', { lanes: 'web', webProvider: 'openalex' }, ['openalex']],
    [
      'SearXNG with an address',
      { lanes: 'web', webProvider: 'searxng', searxngUrl: 'http://127.0.0.1:8888' },
      ['searxng'],
    ],
    [
      'several web providers, in the order of the setting',
      { ...contact, lanes: 'web', webProvider: 'openalex, brave,crossref', braveKey: 'k' },
      ['openalex', 'brave', 'crossref'],
    ],
    ['Brave with a key', { lanes: 'web', webProvider: 'brave', braveKey: 'k' }, ['brave']],
  ])('turns on %s', (_what, overrides, providers) => {
    expect(chosenLanes(read(overrides)).flatMap((lane) => lane.providers)).toEqual(providers);
  });

  it.each<[what: string, overrides: Partial<Settings>, message: string]>([
    [
      'arXiv without a contact address',
      { lanes: 'arxiv' },
      'arxiv needs VERBATIM_LANE_CONTACT; set it, or leave the lane out of VERBATIM_LANES',
    ],
    [
      'Crossref without one',
      { lanes: 'web' },
      'crossref needs VERBATIM_LANE_CONTACT; set it, or leave the lane out of VERBATIM_LANES',
    ],
    [
      'SearXNG without an address',
      { ...contact, webProvider: 'searxng' },
      'searxng needs VERBATIM_SEARXNG_URL; set it, or leave the lane out of VERBATIM_LANES',
    ],
    [
      'Brave without a key',
      { ...contact, webProvider: 'brave' },
      'brave needs VERBATIM_BRAVE_KEY; set it, or leave the lane out of VERBATIM_LANES',
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
      'a second provider without its required setting',
      { ...contact, webProvider: 'crossref,brave' },
      'brave needs VERBATIM_BRAVE_KEY; set it, or leave the lane out of VERBATIM_LANES',
    ],
    [
      'a contact that is not an email address',
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
      'VERBATIM_BRAVE_KEY must be printable characters without spaces',
    ],
    [
      'a malformed address',
      { ...contact, arxivUrl: 'arxiv.org' },
      'VERBATIM_ARXIV_URL must be an http or https address without a user name',
    ],
    [
      'an address with another protocol',
      { ...contact, openalexUrl: 'file:///etc/passwd' },
      'VERBATIM_OPENALEX_URL must be an http or https address without a user name',
    ],
    [
      'an address with a password',
      { ...contact, searxngUrl: 'http://me:secret@ex.org' },
      'VERBATIM_SEARXNG_URL must be an http or https address without a user name',
    ],
  ])('refuses %s', (_what, overrides, message) => {
    expect(() => chosenLanes(read(overrides))).toThrow(
      expect.objectContaining({ code: 'usage', message }),
    );
  });
});

it('trusts the origins that the operator set, not the defaults', () => {
  expect(trustedOrigins(read({}))).toEqual(new Set());
  const overrides = { arxivUrl: 'http://127.0.0.1:9/x', searxngUrl: 'http://searx.lan/' };
  expect(trustedOrigins(read(overrides))).toEqual(
    new Set(['http://127.0.0.1:9', 'http://searx.lan']),
  );
});
