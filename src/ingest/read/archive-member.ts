/** A file in an archive. */
export interface ArchiveMember {
  name: string;
  /** The bytes of the file from the start. Members of a tar archive can be read only once. */
  read(): AsyncGenerator<Buffer>;
  canBeReadAgain: boolean;
}
