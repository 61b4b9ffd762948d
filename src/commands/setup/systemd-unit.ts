/**
 * The unit by which systemd runs the service. Directives: systemd.service(5), systemd.exec(5). It
 * needs systemd 250 or later, for `%d`.
 */

/** Where systemd finds units of the machine's operator. */
export const UNIT_PATH = '/etc/systemd/system/verbatim.service';
/** The folder of the service's data, which systemd makes and gives to the user of the service. */
export const STATE_FOLDER = '/var/lib/verbatim';

/** Folders that the unit hides or replaces: no program can be started from them. */
const hiddenFolders = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];
/** Ports below it need a capability. */
const UNPRIVILEGED_PORT_MIN = 1024;
/** What a stop takes besides the searches in flight: settling, closing the database. */
const STOP_MARGIN_SECONDS = 30;

/** What holds for every server, whatever its settings. */
const RESTRICTIONS = `NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateMounts=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
ProtectHostname=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
KeyringMode=private
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM`;

export interface UnitOptions {
  /** The program and its first arguments, with full paths. */
  command: readonly string[];
  /** The settings file. Root may keep it to itself: systemd hands the service a copy. */
  settingsFile: string;
  port: number;
  drainTimeoutMs: number;
}

/** Returns the first path that the service could not see, or undefined. */
export function pathHiddenFromService(paths: readonly string[]): string | undefined {
  return paths.find((path) => hiddenFolders.some((folder) => path.startsWith(`${folder}/`)));
}

/** Returns the text of the unit. */
export function systemdUnit({ command, settingsFile, port, drainTimeoutMs }: UnitOptions): string {
  return `[Unit]
Description=Verbatim literature search
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=${commandLine(command)} serve
# Certificates are read again. The shell has a kill of its own, and a small system no other.
ExecReload=/bin/sh -c "kill -HUP \${MAINPID}"
Restart=on-failure
RestartSec=2
# Longer than VERBATIM_DRAIN_TIMEOUT_MS, so that searches in flight can finish.
TimeoutStopSec=${stopSeconds(drainTimeoutMs)}
LimitNOFILE=65536

${confinement({ settingsFile })}
${capabilities(port)}
# Without lanes, mail, and Stripe, and behind a proxy on this machine, nothing needs to leave it:
#IPAddressDeny=any
#IPAddressAllow=localhost

[Install]
WantedBy=multi-user.target
`;
}

/** What a stop may take, in seconds. */
export function stopSeconds(drainTimeoutMs: number): number {
  return Math.ceil(drainTimeoutMs / 1000) + STOP_MARGIN_SECONDS;
}

interface Confined {
  settingsFile: string;
  /** A folder of its own among the data. */
  folder?: string | undefined;
}

/** Returns what the server has in common with whatever runs beside it: user, data, and restrictions. */
export function confinement({ settingsFile, folder }: Confined): string {
  return `# The service has a user of its own while it runs. Its data is in ${STATE_FOLDER}.
DynamicUser=yes
User=verbatim
StateDirectory=verbatim${folder === undefined ? '' : ` verbatim/${folder}`}
StateDirectoryMode=0700
CacheDirectory=verbatim
CacheDirectoryMode=0700
WorkingDirectory=%S/verbatim
# Files that root made there meanwhile, such as a restored database, go to the service.
ExecStartPre=+/bin/chown -hR --reference=%S/verbatim %S/verbatim/.
# Only root needs to be able to read the settings and their secrets.
LoadCredential=verbatim.conf:${withoutSpecifiers(settingsFile)}
Environment=VERBATIM_CONFIG=%d/verbatim.conf
UMask=0077
LimitCORE=0

# What the service may not do. V8 compiles while it runs, so MemoryDenyWriteExecute stays off.
${RESTRICTIONS}`;
}

/** Returns the words that start the program, as ExecStart wants them. */
export function commandLine(command: readonly string[]): string {
  // systemd looks for variables everywhere but in the path of the program.
  const [program = '', ...args] = command.map(withoutSpecifiers);
  return [program, ...args.map((word) => word.replaceAll('$', () => '$$'))].map(quote).join(' ');
}

/** Returns the capabilities that a server on this port has. */
export function capabilities(port: number): string {
  if (port === 0 || port >= UNPRIVILEGED_PORT_MIN) {
    return 'CapabilityBoundingSet=\nAmbientCapabilities=\nPrivateUsers=yes';
  }
  // In a user namespace of its own the capability would not count for the machine's ports.
  return 'CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE';
}

/** A word of a command line: systemd.service(5), "Command lines". */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A percent sign would begin a specifier. */
function withoutSpecifiers(text: string): string {
  return text.replaceAll('%', '%%');
}
