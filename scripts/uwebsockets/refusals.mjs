/**
 * uWebSockets rejects malformed requests before any JavaScript runs. Its own pages are HTML and name
 * the library. Our pages say what was wrong, in the format of our other errors. Each page must have
 * the same length as the page that it replaces.
 */

const FOOTER = '<hr><i>uWebSockets/20 Server</i>';
const CLOSE = 'Connection: close\r\n';
const TEXT = 'Content-Type: text/plain\r\n';

const refusals = [
  {
    page: `HTTP/1.1 505 HTTP Version Not Supported\r\n${CLOSE}\r\n<h1>HTTP Version Not Supported</h1><p>This server does not support HTTP/1.0.</p>${FOOTER}`,
    head: `HTTP/1.1 505 HTTP Version Not Supported\r\n${CLOSE}${TEXT}X-Error-Code: http_version\r\n\r\n`,
    text: 'expected HTTP/1.1 and a path that starts with /',
  },
  {
    page: `HTTP/1.1 431 Request Header Fields Too Large\r\n${CLOSE}\r\n<h1>Request Header Fields Too Large</h1>${FOOTER}`,
    head: `HTTP/1.1 431 Too Large\r\n${CLOSE}${TEXT}X-Error-Code: headers_too_large\r\n\r\n`,
    text: 'the headers are too large',
  },
  {
    page: `HTTP/1.1 400 Bad Request\r\n${CLOSE}\r\n<h1>Bad Request</h1>${FOOTER}`,
    head: `HTTP/1.1 400 Bad Request\r\n${CLOSE}X-Error-Code: malformed_http\r\n\r\n`,
    text: 'malformed HTTP request',
  },
];

/**
 * Replaces the pages in place. Throws if the library has neither the original page nor ours.
 */
export function replaceRefusals(bytes) {
  for (const { page, head, text } of refusals) {
    const replacement = (head + text).padEnd(page.length, ' ');
    if (replacement.length > page.length) throw new Error(`the replacement is too long: ${text}`);
    if (bytes.includes(replacement, 'latin1')) continue;
    const at = bytes.indexOf(page, 'latin1');
    if (at < 0) throw new Error(`the library does not have the page ${page.split('\r\n', 1)[0]}`);
    bytes.write(replacement, at, 'latin1');
  }
}
