/** The process as every Prometheus client describes it, and which version of Verbatim it runs. */
import { readdir } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { counterAtScrape, gaugeAtScrape } from './read-at-scrape.ts';

export interface ProcessSources {
  version: string;
  modelName: () => Promise<string>;
  /** Whether searches are served. */
  isReady: () => Promise<boolean>;
}

export function registerProcessMetrics(registry: Registry, sources: ProcessSources): void {
  const { version, modelName, isReady } = sources;
  gaugeAtScrape(registry, {
    name: 'verbatim_build_info',
    help: '1, with the versions as labels.',
    labelNames: ['version', 'model', 'node'],
    read: async () => [
      { labels: { version, model: await modelName(), node: process.versions.node }, value: 1 },
    ],
  });
  gaugeAtScrape(registry, {
    name: 'verbatim_ready',
    help: '1 while searches are served, else 0.',
    read: async () => ((await isReady()) ? 1 : 0),
  });
  const startedAt = Date.now() / 1000 - process.uptime();
  gaugeAtScrape(registry, {
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    read: () => startedAt,
  });
  counterAtScrape(registry, {
    name: 'process_cpu_seconds_total',
    help: 'Processor time of all threads.',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  gaugeAtScrape(registry, {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process, including pages of the database that it has mapped.',
    read: () => process.memoryUsage.rss(),
  });
  gaugeAtScrape(registry, {
    name: 'process_open_fds',
    help: 'Open files and connections.',
    read: async () => (await readdir('/proc/self/fd')).length,
  });
  gaugeAtScrape(registry, {
    name: 'nodejs_heap_size_used_bytes',
    help: 'JavaScript memory of the main thread.',
    read: () => process.memoryUsage().heapUsed,
  });
}
