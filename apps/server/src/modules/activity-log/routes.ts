import { type ActivityLine, activityLog } from '@portal/contract/activity-log/activity-log';
import type { Read } from '../../platform/database/index.ts';
import { type AdmittedAccount, type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { tableFile } from '../../platform/table-file.ts';
import { getActivity } from './activity-detail.ts';
import { countNewer, findLine, getActivityLog, type LineReading, listActivities, listDays, streamActivities } from './activity-lines.ts';
import { vocabularyOf } from './vocabulary.ts';

/** Columns of the download: a promise to scripts, written down in the README. */
const activityFile = [
  'activityId', 'at', 'actor', 'actorKind', 'action', 'what', 'object', 'summary', 'category', 'result', 'refusal', 'refusalWords', 'address',
  'secondFactor', 'traceId',
] as const; // biome-ignore format: one list

type Deps = Pick<ModuleContext, 'profile' | 'config' | 'clock' | 'modules'>;

const readingOf = ({ profile, config, clock, modules }: Deps) => {
  const vocabulary = vocabularyOf(modules);
  return <Account extends Pick<AdmittedAccount, 'accountName' | 'asStaff'>>({
    read,
    account,
  }: {
    read: Read;
    account: Account;
  }): LineReading & {
    account: Account;
  } => ({
    read,
    account,
    timeZone: profile.timeZone,
    now: clock(),
    ownIssuer: config.issuerUri,
    mfaAmr: config.mfaAmr,
    vocabulary,
  });
};

/** Returns the newest lines of an account from the last 30 days, for the viewer in `account`. */
export const latestActivities = (deps: Deps) => {
  const reading = readingOf(deps);
  return async (read: Read, account: AdmittedAccount, limit: number): Promise<ActivityLine[]> =>
    (await listActivities(reading({ read, account }), { limit, q: '' })).lines;
};

/** Returns one line of an account's log as its members read it; null where members read none. */
export const memberActivity = (deps: Deps) => {
  const reading = readingOf(deps);
  return (read: Read, accountName: string, activityId: number): Promise<ActivityLine | null> =>
    findLine(reading({ read, account: { accountName, asStaff: false } }), activityId);
};

export function activityLogRoutes(deps: Deps): Implementation {
  const reading = readingOf(deps);
  return implement(activityLog, {
    listActivities: ({ query, ...call }) => listActivities(reading(call), query),
    listDays: ({ query, ...call }) => listDays(reading(call), query),
    countNewer: ({ query, ...call }) => countNewer(reading(call), query),
    getActivityLog: call => getActivityLog(reading(call)),
    exportActivities: async ({ query: { format, ...filters }, ...call }) =>
      tableFile(`${call.account.accountName}-activity`, format, activityFile, streamActivities(reading(call), filters)),
    getActivity: ({ params, ...call }) => getActivity(reading(call), params.activityId),
  });
}
