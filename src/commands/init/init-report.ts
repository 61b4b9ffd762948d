/** What `verbatim init` prints: what it did, the key once, and the next steps. */
import { resolve } from 'node:path';
import { exampleQuestion } from '../../settings/example.ts';
import { SETTINGS_FILE_NAME, SYSTEM_SETTINGS_FILE } from '../../settings/find-settings-file.ts';
import { formatNumber } from '../../text/format-number.ts';
import { formatSteps, print } from '../cli/output.ts';
import { programName, shellWord } from '../cli/program-command.ts';
import type { InitReport, MadeFile } from './carry-out.ts';

const names: Record<MadeFile['what'], string> = {
  settings: 'settings',
  database: 'database',
  systemd: 'systemd unit',
  timer: 'timer, off',
  caddy: 'Caddy example',
  nginx: 'nginx example',
};

/** Returns the report for programs. `key` is null if there were customers. */
export function jsonOfInit({ files, customer, plan }: InitReport): object {
  return {
    files,
    customer: customer === undefined ? null : { email: customer.email, credits: customer.credits },
    key: customer?.secret ?? null,
    advice: plan.advice,
  };
}

/** Prints the report for people. */
export function printInit(report: InitReport): void {
  const { files, customer, plan } = report;
  const rows: [string, string][] = files.map(({ what, path, state }) => [
    names[what],
    `${state} ${path}`,
  ]);
  if (customer === undefined) {
    rows.push(['customer', 'kept; the database has customers already']);
  } else {
    const { email, credits } = customer;
    rows.push(['customer', `added ${email} with ${formatNumber(credits)} credits`]);
    rows.push(['key', `${customer.secret} (shown only now; save it)`]);
  }
  print(formatSteps(rows));
  if (plan.advice.length > 0) {
    print(`\nBehind the proxy, ${plan.settingsFile} needs:\n  ${plan.advice.join('\n  ')}`);
  }
  print(`\nNext steps:\n${formatSteps(nextSteps(report))}`);
}

function nextSteps({ plan, customer, files }: InitReport): [string, string][] {
  const { settings, proxy } = plan;
  const start =
    plan.unit !== undefined ? 'systemctl enable --now verbatim' : command(plan, 'serve');
  const rows: [string, string][] = [
    ['Build an index', command(plan, 'index add PAPERS')],
    ['Start', start],
  ];
  if (plan.unit !== undefined) {
    rows.push(['Back up', 'systemctl enable --now verbatim-backup.timer']);
  }
  const example = files.find(({ what }) => what === proxy?.kind)?.path ?? '';
  if (proxy?.kind === 'caddy') {
    rows.push(['Use the proxy', `add to /etc/caddy/Caddyfile: import ${example}`]);
  } else if (proxy?.kind === 'nginx') {
    rows.push(['Use the proxy', `get a certificate, then add to /etc/nginx/conf.d: ${example}`]);
  } else {
    const key = customer?.secret ?? '$VERBATIM_KEY';
    rows.push([
      'Ask',
      `curl -s http://localhost:${settings.port}/v1/search -H "Authorization: Bearer ${key}" ` +
        `-H 'Content-Type: application/json' -d '{"query": "${exampleQuestion}"}'`,
    ]);
  }
  return rows;
}

/** Names the settings file unless a command in this folder finds it. */
function command({ settingsFile }: InitReport['plan'], args: string): string {
  const isFound = [resolve(SETTINGS_FILE_NAME), SYSTEM_SETTINGS_FILE].includes(settingsFile);
  return `${programName()} ${args}${isFound ? '' : ` --config ${shellWord(settingsFile)}`}`;
}
