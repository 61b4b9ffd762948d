/** What the system grants the process: memory and open files. */
import { openFilesMax } from '../../http/room-for-connections.ts';
import { type Check, megabytes, ok, warning } from './check.ts';

/** A server with an index of 162,000 documents takes 469 MB: see "Measured" in README.md. */
const MEMORY_BYTES_MIN = 512 * 1024 * 1024;
/** Each connection is an open file. */
const OPEN_FILES_MIN = 4096;

export const checkLimits: Check = {
  name: 'limits',
  run() {
    const memory = process.availableMemory();
    const files = openFilesMax();
    const memoryText = `${megabytes(memory)} of memory available`;
    const filesText = `${files === Infinity ? 'any number of' : files} open files`;
    const findings = [];
    if (memory < MEMORY_BYTES_MIN) {
      findings.push(warning(memoryText, `give the server ${megabytes(MEMORY_BYTES_MIN)} or more`));
    }
    if (files < OPEN_FILES_MIN) {
      findings.push(
        warning(filesText, `raise the limit: ulimit -n ${OPEN_FILES_MIN}, or LimitNOFILE`),
      );
    }
    return findings.length > 0 ? findings : [ok(`${memoryText}, ${filesText}`)];
  },
};
