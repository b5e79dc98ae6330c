import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, installed, start } from './program.ts';

const haproxy = installed('/usr/sbin/haproxy');
const nginx = installed('/usr/sbin/nginx');

/** Configuration of each third-party proxy that appends the caller to X-Forwarded-For, from its handbook. */
const configurations = {
  haproxy: (port: number, server: number, _folder: string) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  option forwardfor
frontend people
  bind 127.0.0.1:${port}
  default_backend portal
backend portal
  server portal 127.0.0.1:${server}
`,
  nginx: (port: number, server: number, folder: string) => `
daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${server};
      proxy_http_version 1.1;
      proxy_request_buffering off;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`,
};
const programs = {
  haproxy: { file: haproxy, args: (config: string) => ['-db', '-f', config] },
  nginx: { file: nginx, args: (config: string) => ['-c', config, '-e', 'stderr'] },
};

export type ProxyName = keyof typeof programs;
export const proxyNames = Object.keys(programs) as ProxyName[];
export const proxyIsInstalled = (name: ProxyName): boolean => programs[name].file !== null;

/** Starts a proxy before a server on a port of this machine. */
export async function startProxy(name: ProxyName, server: number): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), `portal-${name}-`));
  const port = await freePort();
  const config = path.join(folder, 'config');
  writeFileSync(config, configurations[name](port, server, folder));
  const { file, args } = programs[name];
  const running = await start(file!, args(config), { ready: `http://127.0.0.1:${port}/healthz` });
  return {
    port,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
