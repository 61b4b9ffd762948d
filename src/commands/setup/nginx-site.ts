/** The example for nginx: https://nginx.org/en/docs/http/ngx_http_proxy_module.html. */
import type { ProxyOptions } from './caddyfile.ts';

/**
 * Returns a site for nginx with a certificate where certbot puts it. While the service restarts, requests
 * wait: nginx itself cannot, so it looks for a name that no resolver answers, which takes 0.6 s. It
 * goes from one location to another eleven times at most.
 */
export function nginxSite({ domain, port }: ProxyOptions): string {
  return `server {
  listen 80;
  listen [::]:80;
  server_name ${domain};
  return 301 https://$host$request_uri;
}

server {
  listen 443 ssl;
  listen [::]:443 ssl;
  server_name ${domain};
  ssl_certificate /etc/letsencrypt/live/${domain}/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/${domain}/privkey.pem;

  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  recursive_error_pages on;

  location / {
    error_page 502 = @wait;
    proxy_pass http://127.0.0.1:${port};
  }
  # The service restarts. After a moment without an answer from a resolver that is not there, try again.
  location @wait {
    error_page 502 = @again;
    resolver 127.0.0.1:9;
    resolver_timeout 600ms;
    set $nobody restarting.invalid;
    proxy_pass http://$nobody;
  }
  location @again {
    error_page 502 = @wait;
    proxy_pass http://127.0.0.1:${port};
  }
}
`;
}
