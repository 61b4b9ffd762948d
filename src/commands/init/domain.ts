/** The name of a server on the web. */

/** Returns whether the text is a domain name (RFC 1123, section 2.1) without a port. */
export function isDomain(text: string): boolean {
  const label = /^(?!-)[a-z\d-]{1,63}(?<!-)$/i;
  return text.length <= 253 && text.split('.').every((part) => label.test(part));
}
