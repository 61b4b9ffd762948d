/** The example for nginx: https://nginx.org/en/docs/http/ngx_http_proxy_module.html. */
import type { ProxyOptions } from './caddyfile.ts';

/**
 * Returns a site for nginx with a certificate where certbot puts it. Idle connections end before the
 * service would end them: a request that met that would get 502.
 */
export function nginxSite({ domain, port }: ProxyOptions): string {
  return `upstream verbatim {
  server 127.0.0.1:${port};
  keepalive 32;
  keepalive_timeout 5s;
}

server {
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

  location / {
    proxy_pass http://verbatim;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  }
}
`;
}
