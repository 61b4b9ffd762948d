/** Reads the XML of S3: errors and listings. Pure. */
import { childOf, childrenOf, parseXmlTree, textOfChild } from '../../text/xml-tree.ts';

const LEVELS_MAX = 8;
const MESSAGE_CHARACTERS_MAX = 200;

/** What an answer says of an error. */
export interface StorageError {
  /** Such as `NoSuchKey`. Empty if the answer has none. */
  code: string;
  /** One line. */
  message: string;
  /** The region to which the request belongs. Empty if the answer names none. */
  region: string;
}

export interface ListedObject {
  key: string;
  bytes: number;
  /** Milliseconds since 1970, by the clock of the storage. */
  modifiedAt: number;
  /** The entity tag without quotes: often the MD5 of the object. Empty if the listing has none. */
  tag: string;
}

export interface Listing {
  objects: ListedObject[];
  /** Continues the listing. Undefined at its end. */
  next: string | undefined;
}

/** Never throws: errors of proxies are no XML, and some answers have no body. */
export function parseStorageError(body: string): StorageError {
  try {
    const error = parseXmlTree(body, LEVELS_MAX);
    const text = (name: string) => plain(textOfChild(error, name));
    return { code: text('Code'), message: text('Message'), region: text('Region') };
  } catch {
    return { code: '', message: '', region: '' };
  }
}

/** Throws for anything but a listing. */
export function parseListing(body: string): Listing {
  const root = parseXmlTree(body, LEVELS_MAX);
  const isCut = textOfChild(root, 'IsTruncated') === 'true';
  const next = textOfChild(root, 'NextContinuationToken');
  if (root.name !== 'ListBucketResult' || childOf(root, 'IsTruncated') === undefined) {
    throw new Error('the answer is not a listing');
  }
  if (isCut && next === '') throw new Error('the listing does not say how to go on');
  const objects = childrenOf(root, 'Contents').map((element) => ({
    key: textOfChild(element, 'Key'),
    bytes: Number(textOfChild(element, 'Size')),
    modifiedAt: Date.parse(textOfChild(element, 'LastModified')),
    tag: textOfChild(element, 'ETag').replaceAll('"', ''),
  }));
  return { objects, next: isCut ? next : undefined };
}

/** One line without control characters: the text comes from outside and goes to a terminal. */
function plain(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MESSAGE_CHARACTERS_MAX);
}
