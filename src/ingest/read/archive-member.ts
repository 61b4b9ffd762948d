/** A file in an archive. */
export interface ArchiveMember {
  name: string;
  /** Its bytes, from their start; those of a tar file can be read only once. */
  read(): AsyncGenerator<Buffer>;
  canBeReadAgain: boolean;
}
