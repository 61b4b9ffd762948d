/** The example for Caddy: https://caddyserver.com/docs/caddyfile. */

export interface ProxyOptions {
  /** The name by which browsers and programs reach the server. */
  domain: string;
  /** The port on which the service listens, on this machine. */
  port: number;
}

/**
 * Returns a site for Caddy, which fetches the certificate of the domain itself and sets
 * X-Forwarded-For. Idle connections end before the service would end them: a request that met that
 * would get 502.
 */
export function caddyfile({ domain, port }: ProxyOptions): string {
  return `${domain} {
	reverse_proxy 127.0.0.1:${port} {
		transport http {
			keepalive 5s
		}
	}
}
`;
}
