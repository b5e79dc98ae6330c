import type { ServiceName } from '@portal/contract/service-names';
import { type FeedState, statesOfFeeds } from '../../platform/feeds.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { changing, ownFeeds, services } from './service-list.ts';

/** `late`: it answers, but what it publishes is old, or it can’t change anything. */
export type State = 'working' | 'late' | 'down';
export type ServiceState = { service: ServiceName; state: State; note: string };
export type Found = { services: ServiceState[]; feeds: FeedState[] };

/** Returns the state of each service as the database knows it, from the same ages as /readyz and /metrics. @throws Error while the database doesn’t answer */
export async function findStates(context: ModuleContext): Promise<Found> {
  const { db, modules } = context;
  const [feeds, outage, problems] = await Promise.all([
    statesOfFeeds(context),
    db.writeOutage(),
    Promise.all(
      services.flatMap(({ key, module: name }) => {
        const notReady = modules.find(each => each.name === name)?.notReady;
        return notReady ? [notReady(context).then(found => [key, found.length] as const)] : [];
      }),
    ),
  ]);
  const troubled = new Map(problems);
  const late = new Map(feeds.filter(feed => feed.late).map(feed => [feed.name, feed]));
  return {
    services: services.map(({ key, feeds: names }) => {
      if (outage !== null && changing.has(key)) return { service: key, state: 'late', note: 'Nothing can be changed. Reading works.' };
      const old = names.flatMap(name => late.get(name)?.title ?? []);
      if (old.length > 0) return { service: key, state: 'late', note: `Older than promised: ${old.join(', ')}` };
      if (troubled.get(key)) return { service: key, state: 'late', note: 'Some changes take longer than usual.' };
      return { service: key, state: 'working', note: '' };
    }),
    feeds: feeds.filter(({ name, asOf }) => asOf !== null && !ownFeeds.has(name)),
  };
}

/** Returns the state of each service while the database doesn’t answer: what is published stays published. */
export const statesWithoutDatabase = (): ServiceState[] =>
  services.map(({ key, live }) =>
    live
      ? { service: key, state: 'down', note: '' }
      : { service: key, state: 'late', note: 'What was published stays available. New changes wait.' },
  );
