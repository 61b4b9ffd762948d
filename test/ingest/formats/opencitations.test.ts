import { describe, expect, it } from 'vitest';
import { opencitationsFormat } from '../../../src/ingest/formats/opencitations.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { ingestSettings } from '../../../src/settings/ingest-settings.ts';
import type { Identifiers } from '../../../src/types.ts';
import { entriesOf, fixture, recognizes, sourceOf } from '../read-format.ts';

const works = (...all: Identifiers[]) => all.map((identifiers) => ({ identifiers }));

describe("the format of OpenCitations' table", () => {
  it('makes one supplement of the rows of a paper, whatever is between them', async () => {
    expect(await entriesOf(opencitationsFormat, fixture('opencitations.csv'))).toEqual([
      {
        line: 4,
        problem: "the cited work has no identifier but OpenCitations' own",
        reason: 'without_id',
      },
      { line: 5, problem: 'the row has 8 cells, there are 7 columns', reason: 'malformed' },
      {
        line: 7,
        problem: "the citing work has no identifier but OpenCitations' own",
        reason: 'without_id',
      },
      {
        line: 2,
        supplement: {
          identifiers: { doi: '10.5555/tides', pmid: '31000001' },
          abstract: '',
          cites: {
            name: 'opencitations:06101-06201+',
            references: works(
              { doi: '10.5555/moons', openalex: 'W7' },
              { pmid: '31000002' },
              { doi: '10.5555/mud' },
            ),
          },
        },
      },
      {
        line: 8,
        supplement: {
          identifiers: { doi: '10.5555/delay' },
          abstract: '',
          cites: {
            name: 'opencitations:020010-020011',
            references: works({ doi: '10.5555/tides' }),
          },
        },
      },
      {
        line: 9,
        supplement: {
          identifiers: { pmid: '31000001' },
          abstract: '',
          cites: {
            name: 'opencitations:31000001 31000004+',
            references: works({ pmid: '31000004' }, { pmid: '31000005' }),
          },
        },
      },
    ]);
  });

  it('takes no more references than a paper may have', async () => {
    const most = ingestSettings.referencesMax.value;
    const rows = Array.from({ length: most + 2 }, (_, at) => `10.5555/a,10.5555/w${at},2001\n`);
    const [entry, ...others] = await entriesOf(
      opencitationsFormat,
      `citing,cited,creation\n${rows.join('')}10.5555/b,10.5555/a,2002\n`,
    );
    expect(entry).toMatchObject({ supplement: { cites: { references: { length: most } } } });
    expect(others).toMatchObject([{ supplement: { identifiers: { doi: '10.5555/b' } } }]);
  });

  it('is recognized by its header', async () => {
    const format = await recognizeFormat(sourceOf(fixture('opencitations.csv')));
    expect(format.name).toBe('opencitations');
    expect(recognizes(opencitationsFormat, 'citing,cited,title\n1,2,Tides\n')).toBe(false);
  });
});
