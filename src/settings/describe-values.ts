/** What can be written for a setting, in words: for the reference and for settings files. */
import { DEFAULT_MIN } from './parse-value.ts';
import type { Setting } from './setting.ts';

/** Returns for example `ms, from 1`. */
export function describeValues(setting: Setting): string {
  switch (setting.kind) {
    case 'text':
      return 'text';
    case 'path':
      return 'path';
    case 'choice':
      return setting.choices.join(', ');
    case 'list':
      return `some of ${setting.choices.join(', ')}${setting.none ? `, or ${setting.none}` : ''}`;
    case 'share':
      return 'share, 0 to 1';
    case 'boolean':
      return 'boolean';
    case 'integer': {
      const { unit, min = DEFAULT_MIN, max } = setting;
      return max === undefined ? `${unit}, from ${min}` : `${unit}, ${min} to ${max}`;
    }
  }
}
