/**
 * What runs beside the server by the clock: backups, updates, and copies of an index. Each is a service
 * with a timer, off until somebody enables the timer. Directives: systemd.timer(5).
 */
import { commandLine, confinement, type UnitOptions } from './systemd-unit.ts';

interface Job {
  /** The name of the service and of its timer. */
  name: string;
  description: string;
  /** Words after the program. systemd puts the variables in. */
  args: string;
  /** Variables of the service. `systemctl edit` changes them. */
  variables: readonly string[];
  /** A folder that is made among the data of the service, if it is missing. */
  folder?: string;
  calendar: string;
}

const FOLDER = variable('FOLDER');

const jobs: readonly Job[] = [
  {
    name: 'verbatim-backup',
    description: 'Verbatim: a backup every night',
    args: `backup ${FOLDER} --keep ${variable('KEEP')}`,
    variables: ['FOLDER=%S/verbatim/backups', 'KEEP=7'],
    folder: 'backups',
    calendar: '*-*-* 02:30',
  },
  {
    name: 'verbatim-index-add',
    description: 'Verbatim: the papers of a folder, every night',
    args: `index add ${FOLDER}`,
    variables: ['FOLDER=%S/verbatim/papers'],
    folder: 'papers',
    calendar: '*-*-* 03:30',
  },
  {
    name: 'verbatim-index-pull',
    description: 'Verbatim: the newest copy of the index, every quarter of an hour',
    args: `index pull ${variable('SOURCE')} --to ${FOLDER}`,
    variables: ['SOURCE=/srv/index-copies', 'FOLDER=%S/verbatim/index'],
    calendar: '*:0/15',
  },
];

export interface UnitFile {
  name: string;
  text: string;
}

/** Returns the services and their timers. `options` are those of the server's unit. */
export function systemdTimers(options: UnitOptions): UnitFile[] {
  return jobs.flatMap((job) => [
    { name: `${job.name}.service`, text: serviceText(job, options) },
    { name: `${job.name}.timer`, text: timerText(job) },
  ]);
}

function serviceText(job: Job, { command, settingsFile }: UnitOptions): string {
  const variables = job.variables.map((variable) => `Environment=${variable}\n`).join('');
  return `# Change a variable with: systemctl edit ${job.name}.service
[Unit]
Description=${job.description}
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
${variables}ExecStart=${commandLine(command)} ${job.args}

${confinement({ settingsFile, folder: job.folder })}
CapabilityBoundingSet=
AmbientCapabilities=
PrivateUsers=yes
`;
}

function timerText({ description, name, calendar }: Job): string {
  return `# Off until: systemctl enable --now ${name}.timer
[Unit]
Description=${description}

[Timer]
OnCalendar=${calendar}
# Many machines do not start at the same second.
RandomizedDelaySec=5min
# A machine that was off catches up.
Persistent=yes

[Install]
WantedBy=timers.target
`;
}

/** A variable as one word, whatever is in it: systemd.service(5), "Command lines". */
function variable(name: string): string {
  return `\${${name}}`;
}
