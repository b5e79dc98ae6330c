import type { ModuleContext, RoleServer } from '../../../platform/module.ts';
import { foreignSourcesOf } from '../../foreign-sources/index.ts';
import type { FindElsewhere } from './query-place.ts';
import { openPort43 } from './port-43.ts';

declare module '../../../platform/module.ts' {
  interface Contributions {
    /** Answers what mirrors ask on the whois port with `-g`, piece by piece. */
    answersMirrors?: (context: ModuleContext, asked: string) => AsyncIterable<string>;
    /** Makes the function that says where to ask for numbers of other registries. */
    findsElsewhere?: (context: ModuleContext) => FindElsewhere;
  }
}

/** Interval, in ms, at which the log reports the number of queries. */
const COUNTS_EVERY_MS = 300_000;

/** Whois queries and the IRRd protocol, in processes with the role `whois`. */
export const whoisServer: RoleServer = {
  role: 'whois',
  readsFrom: 'replica',
  open: async context => {
    const { config, profile, log } = context;
    const mirror = context.modules.flatMap(({ answersMirrors }) => answersMirrors ?? [])[0];
    if (!mirror) throw new Error('No module answers mirrors.');
    const port43 = await openPort43({
      ...context,
      host: config.host,
      port: config.whoisPort,
      registry: profile,
      trustedProxies: config.whoisTrustedProxies,
      foreign: foreignSourcesOf(context),
      memoryMegabytes: config.whoisMemoryMegabytes,
      elsewhere: context.modules.flatMap(({ findsElsewhere }) => findsElsewhere ?? [])[0]?.(context),
      // The primary: a mirror never asks again for changes that a replica doesn't have yet.
      mirror: asked => mirror(context, asked),
    });
    const counting = setInterval(() => log.info('whois queries since the start', port43.statistics()), COUNTS_EVERY_MS).unref();
    return {
      announcement: `Whois is answered on ${config.host}, port ${port43.port}`,
      metrics: () => port43.metrics(),
      close: () => {
        clearInterval(counting);
        return port43.close();
      },
    };
  },
};
