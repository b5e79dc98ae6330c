import * as accounts from './accounts/index.ts';
import * as activityLog from './activity-log/index.ts';
import * as announcements from './announcements/index.ts';
import * as apiKeys from './api-keys/index.ts';
import * as applications from './applications/index.ts';
import * as billing from './billing/index.ts';
import * as contacts from './contacts/index.ts';
import * as customers from './customers/index.ts';
import * as dataQuality from './data-quality/index.ts';
import * as documents from './documents/index.ts';
import * as elections from './elections/index.ts';
import * as email from './email.ts';
import * as encryptedBallots from './encrypted-ballots/index.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events/index.ts';
import * as features from './features/index.ts';
import * as home from './home/index.ts';
import * as helpPages from './help-pages/index.ts';
import * as identity from './identity/index.ts';
import * as legal from './legal/index.ts';
import * as lookingGlass from './looking-glass/index.ts';
import * as mail from './mail/index.ts';
import * as nir from './nir/index.ts';
import * as notifications from './notifications/index.ts';
import * as oneLine from './one-line.ts';
import * as organisations from './organisations/index.ts';
import * as phone from './phone.ts';
import * as board from './board/index.ts';
import * as brand from './brand/index.ts';
import * as policy from './policy/index.ts';
import * as privacy from './privacy/index.ts';
import * as proposals from './proposals/index.ts';
import * as publication from './publication/index.ts';
import * as records from './records/index.ts';
import * as requests from './requests/index.ts';
import * as resources from './resources/index.ts';
import * as restraints from './restraints/index.ts';
import * as reverseDns from './reverse-dns/index.ts';
import * as roles from './roles/index.ts';
import * as routes from './routes/index.ts';
import * as rpki from './rpki/index.ts';
import * as search from './search/index.ts';
import * as shell from './shell/index.ts';
import * as staff from './staff/index.ts';
import * as statusPages from './status-pages/index.ts';
import * as tasks from './tasks/index.ts';
import * as tickets from './tickets/index.ts';
import * as webhooks from './webhooks/index.ts';
import * as whois from './whois/index.ts';

/** All endpoints, one line a module: groups and the shapes they use. Web pages import the file of their own domain instead of this one. */
export const contract = {
  ...email,
  ...oneLine,
  ...phone,
  ...accounts,
  ...activityLog,
  ...apiKeys,
  ...announcements,
  ...applications,
  ...billing,
  ...contacts,
  ...customers,
  ...documents,
  ...elections,
  ...encryptedBallots,
  ...events,
  ...features,
  ...home,
  ...identity,
  ...legal,
  ...lookingGlass,
  ...mail,
  ...nir,
  ...notifications,
  ...organisations,
  ...board,
  ...brand,
  ...policy,
  ...proposals,
  ...publication,
  ...records,
  ...requests,
  ...resources,
  ...reverseDns,
  ...roles,
  ...routes,
  ...rpki,
  ...search,
  ...shell,
  ...staff,
  ...helpPages,
  ...statusPages,
  ...tasks,
  ...tickets,
  ...webhooks,
  ...whois,
  ...dataQuality,
  ...privacy,
  ...restraints,
};

type Contract = typeof contract;
type Group = Record<string, Pick<Endpoint, 'id' | 'method' | 'path'>>;
type Api = { [Name in keyof Contract as Contract[Name] extends Group ? Name : never]: Contract[Name] };

const isGroup = (value: unknown): boolean => {
  const members = Object(value) === value ? Object.values(value as object) : [];
  return (
    members.length > 0 &&
    members.every((member: unknown) => Object(member) === member && 'method' in (member as object) && 'path' in (member as object))
  );
};

/** Every endpoint there is, by the name of its group; the server mounts this list and nothing else. */
export const api = Object.fromEntries(Object.entries(contract).filter(([, value]) => isGroup(value))) as Api;

/** All endpoints in one list, for the whole-surface tests, the API description and the generated docs. */
export const allEndpoints: Endpoint[] = Object.values(api).flatMap(group => Object.values(group) as Endpoint[]);
