/** nginx and Caddy, set up as `verbatim init` says but without TLS. Both come from Debian's packages. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caddyfile } from '../../src/commands/setup/caddyfile.ts';
import { nginxSite } from '../../src/commands/setup/nginx-site.ts';

export const proxyNames = ['nginx', 'caddy'] as const;
type ProxyName = (typeof proxyNames)[number];

export function isInstalled(name: ProxyName): boolean {
  return spawnSync(name, [name === 'nginx' ? '-v' : 'version']).status === 0;
}

export interface ProxyPlace {
  /** For its configuration, and all that it writes. */
  folder: string;
  /** Where it listens, at 127.0.0.1. */
  port: number;
  servicePort: number;
  /** The port of the service's metrics. */
  probePort: number;
}

/** A configuration of nginx with one site, which writes nothing outside of the folder. */
export function nginxConfiguration(folder: string, site: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  return `daemon off; pid ${folder}/nginx.pid; error_log stderr;
    events {}
    http { access_log off; ${temporary}
      ${site} }`;
}

const commands: Record<ProxyName, (place: ProxyPlace) => [command: string, ...args: string[]]> = {
  nginx({ folder, port, servicePort }) {
    const path = join(folder, 'nginx.conf');
    const site = nginxSite({ domain: 'search.example.org', port: servicePort })
      .replace(/server \{\n {2}listen 80;.*?\n\}\n/s, '')
      .replace(/ {2}listen 443 ssl;\n.*\n/, `  listen 127.0.0.1:${port};\n`)
      .replaceAll(/ {2}ssl_.*\n/g, '');
    if (/ssl|listen 80/.test(site)) throw new Error(`the site still has TLS: ${site}`);
    writeFileSync(path, nginxConfiguration(folder, site));
    return ['nginx', '-p', folder, '-c', path];
  },
  caddy({ folder, port, servicePort, probePort }) {
    const path = join(folder, 'Caddyfile');
    const site = caddyfile({ domain: `http://127.0.0.1:${port}`, port: servicePort, probePort });
    writeFileSync(path, `{\n  admin off\n}\n${site}`);
    return ['caddy', 'run', '--config', path, '--adapter', 'caddyfile'];
  },
};

/** Starts it. It answers a moment later. */
export function startProxy(name: ProxyName, place: ProxyPlace): ChildProcess {
  const { folder } = place;
  // A worker of nginx that root starts is another user.
  chmodSync(folder, 0o755);
  const [command, ...args] = commands[name](place);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(command, args, { stdio: 'ignore', env });
}
