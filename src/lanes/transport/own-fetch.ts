/**
 * Node's `fetch` and the package undici share the agent that sends their requests: that of the one which
 * is loaded first. The agent of the package refuses what Stripe's library sends by `fetch`. Importing
 * this file before the package loads Node's own.
 */
void globalThis.Headers;
