/** The example for Caddy: https://caddyserver.com/docs/caddyfile. */

export interface ProxyOptions {
  /** The name by which browsers and programs reach the server. */
  domain: string;
  /** The port on which the service listens, on this machine. */
  port: number;
}

interface CaddyOptions extends ProxyOptions {
  /** The port of the metrics and the probes; undefined if they are not served. */
  probePort: number | undefined;
}

/**
 * Returns a site for Caddy, which fetches the certificate of the domain itself and sets
 * X-Forwarded-For. While the service restarts, requests wait. Caddy learns from the probe that it stops,
 * because versions before 2.11.2 cannot repeat a request with a body. Each request has its own connection:
 * one that the service has just closed could not be repeated either.
 */
export function caddyfile({ domain, port, probePort }: CaddyOptions): string {
  const probe =
    probePort === undefined
      ? ''
      : `		# Beside the metrics. Without metrics, remove the next three lines.
		health_uri /ready
		health_port ${probePort}
		health_interval 100ms
`;
  return `${domain} {
	reverse_proxy 127.0.0.1:${port} {
${probe}		lb_try_duration 30s
		lb_try_interval 100ms
		lb_retry_match {
			path /*
		}
		transport http {
			keepalive off
		}
	}
}
`;
}
