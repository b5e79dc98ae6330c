import { chmodSync } from 'node:fs';
import path from 'node:path';
import { rsyncdConfiguration } from '../../apps/server/src/modules/rpki/index.ts';
import { freePort, makeTls, serveRsync, serveTls, type Transport, type Validated, type Validator, validatorOf } from './rpki-validators.ts';

/** Each validator over each transport separately, its cache kept from step to step, as in the world. */
const observers: [Validator, Transport][] = [
  ['rpki-client', 'rrdp'],
  ['rpki-client', 'rsync'],
  ['fort', 'rrdp'],
  ['fort', 'rsync'],
];

/** A validator over one transport. */
export type Observer = { name: string; run: () => Promise<Validated> };

/** A registry that publishes on loopback, and the validators that watch it. */
export type ObservedRegistry<Portal> = {
  portal: Portal;
  validators: Observer[];
  /** The same with another locator than that of the registry, such as `/rpki/as0.tal`. */
  validatorsWith: (locator: string) => Promise<Observer[]>;
  /** Requests to the web server so far. */
  asked: string[];
  /** One over rsync with an empty cache. */
  fresh: (kind: Validator) => () => Promise<Validated>;
  close: () => Promise<void>;
};

/** Parts of a registry that serving it needs. */
type Served = {
  http: Parameters<typeof serveTls>[0];
  config: Parameters<typeof rsyncdConfiguration>[0];
  request: (path: string, init: { headers: Record<string, string> }) => Promise<Response>;
} & AsyncDisposable;

/** Opens a registry in a folder, over TLS and rsync. @param open opens it with these settings, and makes its first publication */
export async function openObservedRegistry<Portal extends Served>(
  folder: string,
  open: (settings: Record<string, string>) => Promise<Portal>,
): Promise<ObservedRegistry<Portal>> {
  chmodSync(folder, 0o755);
  const [rsyncPort, tlsPort] = [await freePort(), await freePort()];
  const portal = await open({
    DATA_DIR: path.join(folder, 'data'),
    TRUSTED_HOSTS: 'portal.test',
    RPKI_RSYNC_BASE: `rsync://localhost:${rsyncPort}/repository`,
    RPKI_RRDP_BASE: `https://localhost:${tlsPort}/rrdp`,
    APP_URL: `https://localhost:${tlsPort}`,
  });
  const tls = await makeTls(path.join(folder, 'tls'));
  const served = await serveTls(portal.http, tls, tlsPort, `localhost:${tlsPort}`);
  const daemon = await serveRsync(rsyncdConfiguration(portal.config), folder, rsyncPort);
  const locatorsAt = async (address: string): Promise<Record<Transport, string>> => {
    const tal = await (await portal.request(address, { headers: { host: `localhost:${tlsPort}` } })).text();
    const without = (scheme: string): string =>
      tal
        .split('\n')
        .filter(line => !line.startsWith(scheme))
        .join('\n');
    return { rsync: without('https://'), rrdp: without('rsync://') };
  };
  const observe = (tals: Record<Transport, string>, own: string): Observer[] =>
    observers.map(([kind, transport]) => ({
      name: `${kind} over ${transport}`,
      run: validatorOf(kind, transport, { folder: own, tal: tals[transport], ...tls }),
    }));
  const tals = await locatorsAt('/rpki/registry.tal');
  return {
    portal,
    asked: served.asked,
    fresh: kind => validatorOf(kind, 'rsync', { folder: path.join(folder, 'fresh'), tal: tals.rsync, ...tls }),
    validators: observe(tals, folder),
    validatorsWith: async locator => observe(await locatorsAt(locator), path.join(folder, path.basename(locator, '.tal'))),
    close: async () => {
      await served.close();
      daemon.stop();
      await portal[Symbol.asyncDispose]();
    },
  };
}
