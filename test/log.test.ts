import { describe, expect, it } from 'vitest';
import { createLog, type LogLevel } from '../src/log.ts';
import { settingsTable } from '../src/settings/config.ts';

const levels: LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The lines of one event of each level. */
function linesOf(options?: Parameters<typeof createLog>[1]): string[] {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), options);
  for (const level of levels) log[level]('happened', { to: level });
  return lines;
}

describe('the log', () => {
  it('has the levels that the setting accepts', () => {
    expect(settingsTable.logLevel.choices).toEqual(Object.keys(createLog(() => {})));
  });

  it.each(levels)('has the levels from %s on', (leastLevel) => {
    const logged = linesOf({ leastLevel }).map((line) => JSON.parse(line));
    expect(logged).toEqual(
      levels.slice(levels.indexOf(leastLevel)).map((level) => ({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        level,
        event: 'happened',
        to: level,
      })),
    );
  });

  it('has everything but what is for debugging if nothing is said', () => {
    expect(linesOf()).toHaveLength(3);
  });

  it('has the priorities of syslog for the journal of systemd', () => {
    const lines = linesOf({ leastLevel: 'debug', isForJournal: true });
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['<7>{', '<6>{', '<4>{', '<3>{']);
    for (const line of lines) expect(line.split('\n')).toHaveLength(2);
  });
});
