/** The media type of a response, from `Accept`. */
import { describe, expect, it } from 'vitest';
import { chooseMediaType } from '../../src/http/media-type.ts';

const OFFERED = ['application/json', 'application/x-bibtex', 'text/plain'] as const;

describe('the media type', () => {
  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/x-bibtex', 'application/x-bibtex'],
    ['Application/X-BibTeX; charset=utf-8', 'application/x-bibtex'],
    ['application/x-bibtex, */*', 'application/x-bibtex'],
    ['*/*, application/x-bibtex;q=0.5', 'application/json'],
    ['application/*;q=0.5, text/plain', 'text/plain'],
    ['text/*', 'text/plain'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/json;q=0.1, application/x-bibtex;q=0.2', 'application/x-bibtex'],
    ['application/json;q=0, */*', 'application/x-bibtex'],
    ['application/problem+json', 'application/json'],
    ['application/problem+json, application/x-bibtex', 'application/x-bibtex'],
    [', ,', 'application/json'],
    ['application/xml', undefined],
    ['application/x-bibtex;q=0', undefined],
    ['*/*;q=0', undefined],
  ])('for "%s" is %s', (accept, type) => {
    expect(chooseMediaType(accept, OFFERED)).toBe(type);
  });
});
