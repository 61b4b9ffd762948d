import { describe, expect, it } from 'vitest';
import { settingsFileText } from '../../../src/commands/setup/settings-file-text.ts';
import { settingsTable } from '../../../src/settings/config.ts';
import { parseSettingsFile } from '../../../src/settings/parse-settings-file.ts';
import type { Setting } from '../../../src/settings/setting.ts';

const table: Setting[] = Object.values(settingsTable);

const entriesOf = (text: string): [name: string, text: string][] =>
  parseSettingsFile(Buffer.from(text), 'x.conf').map(({ name, text }) => [name, text]);

describe('settingsFileText', () => {
  it('sets what was asked for and nothing else', () => {
    const text = settingsFileText({ database: '/srv/v.db', port: 80, proxiesTrusted: 1, host: '' });
    expect(entriesOf(text)).toEqual([
      ['VERBATIM_DB', '/srv/v.db'],
      ['VERBATIM_PORT', '80'],
      ['VERBATIM_PROXIES_TRUSTED', '1'],
    ]);
  });

  it('has every setting once, with its default as a comment', () => {
    const entries = entriesOf(settingsFileText({}).replaceAll(/^#(?=VERBATIM_)/gm, ''));
    const expected = table.map((setting) => {
      const isOfMachine = setting.kind === 'integer' && setting.defaultText !== undefined;
      return [setting.variable, isOfMachine ? '' : String(setting.value)];
    });
    expect(entries.sort()).toEqual(expected.sort());
  });

  it('begins with what an operator sets first, and explains each setting', () => {
    const text = settingsFileText({});
    expect(text).toContain(
      '\n# port to listen on; 0: any free port (port, 0 to 65535)\n#VERBATIM_PORT=8080\n',
    );
    expect(text.indexOf('VERBATIM_MAIL_FROM')).toBeLessThan(text.indexOf('Everything below'));
    for (const line of text.split('\n').filter((line) => line.startsWith('# '))) {
      expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  it.each(['/a b/c', "/it's", '/say "so"', String.raw`/a\b`, '/a #b', '/a#b', '/$HOME', '/ü'])(
    'quotes %s so that it is read again',
    (database) => {
      expect(entriesOf(settingsFileText({ database }))).toEqual([['VERBATIM_DB', database]]);
    },
  );

  it.each([`/'"`, String.raw`/'\ `, '/a\nb'])('refuses %j, which no line can hold', (database) => {
    expect(() => settingsFileText({ database })).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('cannot stand in a settings file'),
      }),
    );
  });
});
