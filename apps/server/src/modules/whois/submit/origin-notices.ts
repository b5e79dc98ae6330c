import { spacedKey } from '@portal/contract/whois/spaced-key';
import { valueOf, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { maintainersIn, objectOfRow } from '../store/object-facts.ts';
import { findObjects } from '../store/stored-objects.ts';
import { readText } from '../store/syntax.ts';
import { forMail, writtenOut } from './mail-text.ts';
import type { Credentials, WhoisOutcome } from '../store/update.ts';
import { whoisTexts } from '../mail-texts.ts';

/** Route objects written out in one mail at most; of the others some are named. */
const WRITTEN_OUT = 20;
const NAMED = 500;

/**
 * Notifies the holders of AS numbers about routes that others made from them, where the registry doesn't ask for their consent. One mail
 * per address and submission, to `upd-to` of the maintainers and to corporate and technical contacts of accounts that use them.
 */
export async function notifyOrigins(
  change: Change,
  outcomes: readonly Pick<WhoisOutcome, 'state' | 'done' | 'class' | 'shown' | 'after'>[],
  { credentials, profile }: { credentials: Credentials; profile: Profile },
): Promise<void> {
  const made = outcomes.flatMap(({ state, done, class: objectClass, shown, after }) => {
    if (state !== 'ok' || done !== 'create' || (objectClass !== 'route' && objectClass !== 'route6') || after === null) return [];
    const { object } = readText(after);
    return object
      ? [{ shown: `${objectClass} ${spacedKey(shown)}`, text: after, origin: (valueOf(object, 'origin') ?? '').toLowerCase() }]
      : [];
  });
  if (made.length === 0 || credentials.registry) return;
  const numbers = await findObjects(
    change,
    [...new Set(made.map(({ origin }) => origin))].map(key => ({ class: 'aut-num', key })),
  );
  const mails = new Map<string, { recipientName?: string; loginId?: string | null; accountName?: string; routes: typeof made }>();
  for (const number of numbers) {
    const object = objectOfRow(number);
    const own = maintainersIn(object, 'mnt-routes');
    const keys = own.length > 0 ? own : maintainersIn(object, 'mnt-by');
    if (keys.some(key => credentials.maintainers.has(key))) continue;
    const routes = made.filter(({ origin }) => origin === number.key);
    const people = await change.rows<{ accountName: string; loginId: string | null; email: string; fullName: string }>(sql`
      select distinct on (lower(c.email)) c.account_name, c.login_id::text as login_id, c.email, c.full_name from maintainer_link l join contact c using (account_name)
      where l.maintainer = any(${keys}::text[]) and c.status = 'active' and c.contact_types && '{corporate,technical}'::text[] order by lower(c.email)`);
    const maintainers = await findObjects(
      change,
      keys.map(key => ({ class: 'mntner', key })),
    );
    const recipients = [
      ...maintainers.flatMap(maintainer => valuesOf(objectOfRow(maintainer), 'upd-to').map(email => ({ email }))),
      ...people.map(({ email, fullName, loginId, accountName }) => ({ email, recipientName: fullName, loginId, accountName })),
    ];
    for (const { email, ...person } of recipients) {
      const known = mails.get(email.toLowerCase());
      const others = (known?.routes ?? []).filter(route => !routes.includes(route));
      mails.set(email.toLowerCase(), { ...person, routes: [...others, ...routes] });
    }
  }
  for (const [recipient, { routes, ...person }] of mails) {
    const { written, others } = await writtenOut(routes, ({ text }) => forMail(text.trimEnd()), WRITTEN_OUT);
    await sendMail(change, {
      topic: 'whois.objects',
      recipient,
      ...person,
      text: whoisTexts.written('routeNumber', {
        howMany: routes.length === 1 ? routes[0]!.shown : `${routes.length} route objects`,
        actor: credentials.who,
        howMany2: routes.length === 1 ? 'a route object' : 'route objects',
        source: profile.source,
        howMany3: routes.length === 1 ? 'it' : 'them',
        supportEmail: profile.supportEmail,
        details: written.join('\n\n'),
        andMore:
          others.length > 0
            ? `And ${others.length} more: ${others
                .slice(0, NAMED)
                .map(({ shown }) => shown)
                .join(', ')}${others.length > NAMED ? ' and others' : ''}.`
            : '',
      }),
    });
  }
}
