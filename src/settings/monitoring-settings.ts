/** Settings of metrics and of the log. */
import { limit, type SettingsPart } from './setting.ts';

export const monitoringSettings = {
  metrics: {
    kind: 'boolean',
    value: true,
    help: 'whether `/metrics`, `/live`, and `/ready` are served at the address below',
  },
  metricsHost: {
    kind: 'text',
    value: '127.0.0.1',
    help: 'address of `/metrics`, `/live`, and `/ready`; they need no key, so keep them from the public',
  },
  metricsPort: {
    kind: 'integer',
    value: 9464,
    unit: 'port',
    min: 0,
    max: 65535,
    help: 'their port; 0: any free port; if the default port is in use, the server logs a warning and runs without them',
  },
  metricsTimeoutMs: limit(
    2_000,
    'ms',
    'how long `verbatim top` and `verbatim stats` wait for the metrics of a server',
  ),
  metricsBytesMax: limit(4 * 1024 * 1024, 'bytes', 'the longest answer that they read'),
  logLevel: {
    kind: 'choice',
    value: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
    help: 'least level that is logged',
  },
  logFormat: {
    kind: 'choice',
    value: 'auto',
    choices: ['auto', 'json', 'text'],
    help: 'form of the log; auto: text on a terminal, JSON elsewhere',
  },
  logQuestions: {
    kind: 'boolean',
    value: false,
    help: 'whether the log has the text of questions',
  },
  slowSearchMs: {
    kind: 'integer',
    value: 1_000,
    unit: 'ms',
    min: 0,
    help: 'a search that takes as long is logged as `slow_search`, with its stages',
  },
} as const satisfies SettingsPart;
